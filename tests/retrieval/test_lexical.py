import math
import random
from collections import Counter

import pytest

from sensemaking.retrieval.lexical import LexicalIndex, tokens


def okapi(texts, query, k1, b):
    """The definition, term by term."""
    counts = {key: Counter(tokens(text)) for key, text in texts.items()}
    mean = sum(count.total() for count in counts.values()) / len(texts)
    scores = {}
    for key, count in counts.items():
        total = 0.0
        for word in tokens(query):
            n = sum(word in other for other in counts.values())
            idf = math.log(1 + (len(texts) - n + 0.5) / (n + 0.5))
            tf = count[word]
            total += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * count.total() / mean))
        scores[key] = total
    return scores


@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.0), (2.0, 1.0)])
def test_scores_are_those_of_the_definition(k1, b):
    rng = random.Random(5)
    vocabulary = [f"harbour{n}" for n in range(60)]
    texts = {
        f"r{n:02d}": " ".join(rng.choices(vocabulary, k=rng.randint(1, 40))) for n in range(50)
    }
    index = LexicalIndex(texts, k1=k1, b=b)
    for _ in range(20):
        query = " ".join(rng.choices([*vocabulary, "unheard"], k=6))
        expected = okapi(texts, query, k1, b)
        assert dict(index.search(query, 50)) == pytest.approx(expected, abs=1e-9)


def test_equal_scores_stand_in_order_of_id_whatever_the_order_of_the_texts():
    texts = dict.fromkeys(("b", "d", "a", "c"), "dredging of the basin")
    backwards = dict(reversed(texts.items()))
    assert [key for key, _ in LexicalIndex(texts).search("basin", 3)] == ["a", "b", "c"]
    assert LexicalIndex(backwards).search("basin", 4) == LexicalIndex(texts).search("basin", 4)


def test_asking_for_more_than_there_is_returns_all_the_unrelated_last():
    index = LexicalIndex({"a": "ferry", "b": "quay wall", "c": "quay"})
    found = index.search("Quays", 200)
    assert [key for key, _ in found] == ["c", "b", "a"]
    assert found[-1][1] == 0.0


def test_no_texts_empty_texts_and_words_nobody_uses_score_nothing():
    assert LexicalIndex({}).search("quay", 5) == []
    assert LexicalIndex({"a": "", "b": "the of"}).search("quay", 5) == [("a", 0.0), ("b", 0.0)]
    assert LexicalIndex({"a": "quay"}).search("", 5) == [("a", 0.0)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("북항의 재개발", "ko"),
        ("防潮堤が遅れる理由", "ja"),
        ("谁批准了土壤清理", "zh"),
        ("ท่าเรือ", "th"),
    ],
)
def test_languages_without_spaces_are_found_by_parts_of_their_words(query, found):
    index = LexicalIndex(
        {
            "ko": "부산항만공사는 북항 재개발 사업을 추진한다.",
            "ja": "東京都の防潮堤は2027年に完成する予定である。",
            "zh": "港务局批准了污染土壤的清理计划。",
            "th": "การท่าเรือแห่งประเทศไทยอนุมัติโครงการ",
            "en": "The port authority approved the plan.",
        }
    )
    assert index.search(query, 1)[0][0] == found
    assert index.search(query, 1)[0][1] > 0

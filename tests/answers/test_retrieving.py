"""ReTAG's reading: the best reports, their summaries in pieces."""

from dataclasses import replace

import pytest

from sensemaking.answers.mapreduce import keep_points
from sensemaking.answers.retrieving import (
    Retrieval,
    cut_summary,
    find_reports,
    index_reports,
    recall_of,
)
from sensemaking.types import Finding, Point, Report, SubAnswer
from tests.records import RealTokenizer, make_report

TOKENIZER = RealTokenizer()


def report(key, summary, *findings, **fields):
    made = tuple(Finding(f"{key}.{n}", f"H{n}", text, ()) for n, text in enumerate(findings))
    values = {"id": key, "title": f"Title {key}", "summary": summary, "findings": made}
    return make_report(f"c-{key}", TOKENIZER, **values, **fields)


def find(reports: list[Report], query, size):
    by_id = {one.community_id: one for one in reports}
    index = index_reports(reports, 1.5, 0.75)
    return [one.id for one in find_reports(index, by_id, Retrieval(query, size, 1.5, 0.75))]


def test_reports_are_ranked_by_their_whole_text_and_all_come_where_more_are_asked_for():
    reports = [
        report("a", "Dredging.", "The ferry sails."),
        report("b", "The ferry.", "The ferry sails at noon."),
        report("c", "A museum."),
    ]
    assert find(reports, "ferry", 2) == ["b", "a"]
    assert find(reports, "ferry", 200) == ["b", "a", "c"]
    assert find(reports, "volcano", 200) == ["a", "b", "c"]


def test_communities_that_share_a_report_are_read_once():
    one = report("a", "The ferry.")
    other = replace(one, community_id="c-other")
    assert find([one, other, report("b", "A museum.")], "ferry", 2) == ["a", "b"]


def test_a_summary_is_cut_between_sentences_at_the_size_of_a_piece():
    sentences = [
        f"Sentence number {n} tells of the harbour and its many old quays." for n in range(40)
    ]
    blocks = cut_summary(report("a", " ".join(sentences)), TOKENIZER, size=120)
    assert len(blocks) > 3
    assert [item.text for block in blocks for item in block.items] == sentences
    for block in blocks:
        text = block.text + "".join(f"[9] {i.heading}: {i.text}\n" for i in block.items)
        assert TOKENIZER.count(text) <= block.n_tokens <= 160
        assert [item.number for item in block.items] == list(range(1, len(block.items) + 1))
    assert [block.id for block in blocks] == sorted(block.id for block in blocks)


def test_what_a_summary_quotes_from_a_finding_cites_the_finding_whole():
    quote = "Ada Penrose: “The wall moves. It will fall.”"
    (block,) = cut_summary(report("a", f"It is so. {quote} Nobody objected.", quote), TOKENIZER)
    assert [(item.text, item.citation.kind, item.citation.id) for item in block.items] == [
        ("It is so.", "report", "a"),
        (quote, "finding", "a.0"),
        ("Nobody objected.", "report", "a"),
    ]


@pytest.mark.parametrize("summary", ["", "  \n", "…"])
def test_a_report_without_a_summary_is_not_read(summary):
    assert cut_summary(report("a", summary), TOKENIZER) == []


def test_nothing_of_an_endless_sentence_is_lost():
    long = "word " * 900 + "end."
    blocks = cut_summary(report("a", long), TOKENIZER)
    assert " ".join(item.text for block in blocks for item in block.items) == long


def test_a_window_has_one_score_and_its_points_stay_together():
    def sub(window, *scores):
        points = tuple(
            Point(f"p{window}{n}", "H", "word " * 20, score, ()) for n, score in enumerate(scores)
        )
        return SubAnswer(window, "kept", max(scores, default=0), points, (), (), 10)

    subs = [sub(0, 60, 50), sub(1, 90, 10), sub(2, 0), sub(3)]
    kept, judged = keep_points(subs, 10_000, TOKENIZER, by_window=True)
    assert [point.id for point in kept] == ["p10", "p11", "p00", "p01"]
    assert [one.status for one in judged] == ["kept", "kept", "zero", "zero"]
    kept, judged = keep_points(subs, 70, TOKENIZER, by_window=True)
    assert [point.id for point in kept] == ["p10", "p11"]
    assert judged[0].status == "cut"


def test_recall_counts_relevant_reports_among_the_first():
    assert recall_of(["a", "b", "c"], ["b", "z"], 2) == 0.5
    assert recall_of(["a", "b", "c"], ["c"], 2) == 0.0
    assert recall_of(["a"], ["a"], 200) == 1.0
    assert recall_of(["a"], [], 5) is None

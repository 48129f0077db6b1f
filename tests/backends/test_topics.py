import random

import pytest

from sensemaking.backends.extractive.clusters import group
from sensemaking.backends.extractive.phrases import count_terms
from sensemaking.backends.extractive.topics import ExtractiveTopicAnalyst
from sensemaking.ports import TopicDraft
from sensemaking.topics import unite
from sensemaking.types import FoundTopics

SUBJECTS = {
    "Flood barrier": "flood barrier tide surge gate castings hinge cofferdam storm water",
    "Cold store": "cold store fish freezer landing market auction ice crate herring",
    "Purchase order": "purchase order objection inquiry plot owner inspector tribunal lease",
}


def report(subject, seed):
    rng = random.Random(f"{subject} {seed}")
    words = SUBJECTS[subject].split()
    pair = rng.sample(words, 2)
    lines = [" ".join(rng.choices(words, k=9)).capitalize() + "." for _ in range(4)]
    return f"# {subject} and {pair[0]}\n\n{lines[0]}\n\n## {pair[1].capitalize()}\n\n" + "\n".join(
        lines
    )


TEXTS = [report(subject, seed) for seed in range(8) for subject in SUBJECTS]
ANALYST = ExtractiveTopicAnalyst(tuple(TEXTS))


def test_each_subject_of_the_reports_is_a_topic_named_by_its_terms():
    topics = ANALYST.mine(TEXTS)
    assert len(topics) <= 5
    for subject in SUBJECTS:
        assert any(subject.casefold() in one.name.casefold() for one in topics), subject
    assert all(one.description.startswith("Speaks of ") for one in topics)


def test_topics_do_not_depend_on_when_they_are_looked_for():
    assert ExtractiveTopicAnalyst(()).mine(TEXTS) == ANALYST.mine(TEXTS)


@pytest.mark.parametrize("texts", [[], [""], ["   \n", "the of and"]])
def test_texts_that_say_nothing_have_no_topics(texts):
    assert ANALYST.mine(texts) == ()
    assert "without recurring terms" in ANALYST.describe(texts)


def test_one_text_has_one_topic():
    (topic,) = ANALYST.mine(TEXTS[:1])
    assert "flood barrier" in topic.name.casefold()


def test_texts_without_headings_are_named_by_their_names_and_phrases():
    texts = [
        f"The Harbour Authority dredges the basin again in year {n}. Dredging spoil goes to sea."
        for n in range(6)
    ]
    (name, *_) = [one.name for one in ANALYST.mine(texts)]
    assert "Harbour Authority" in name or "dredging spoil" in name.lower()


@pytest.mark.parametrize(
    "texts",
    [
        [
            "# 북항 재개발\n\n부산항만공사는 북항 재개발 사업을 추진한다.",
            "# 북항 재개발\n\n사업이 늦어졌다.",
        ],
        [
            "# 防潮堤\n\n東京都の防潮堤は2027年に完成する。",
            "# 防潮堤\n\n防潮堤の工事は遅れている。",
        ],
        ["# 土壤污染\n\n港务局批准了污染土壤的清理计划。", "# 土壤污染\n\n清理计划推迟了。"],
    ],
)
def test_topics_of_languages_without_spaces_have_names(texts):
    (topic,) = ANALYST.mine(texts)
    assert topic.name
    assert topic.name in texts[0]


def test_people_are_no_topics():
    texts = [
        f"# Ada Penrose and river wall\n\nAda Penrose: “The wall moves.”\n\n## Mr Veld\n\n{n}."
        for n in range(4)
    ]
    text = " ".join(one.name + one.description for one in ANALYST.mine(texts))
    assert "river wall" in text.lower()
    assert "Penrose" not in text
    assert "Veld" not in text


def test_a_description_tells_the_commonest_terms():
    assert "flood barrier" in ANALYST.describe(TEXTS).lower()


# Classification


def choose(question, topics=None):
    return ANALYST.classify(question, ANALYST.mine(TEXTS) if topics is None else topics, "")


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Why do the castings of the gate fail in a storm?", "flood barrier"),
        ("Who sells herring at the auction?", "cold store"),
        ("What did the inspector of the tribunal say to the owner?", "purchase order"),
    ],
)
def test_a_question_falls_in_the_topic_whose_reports_answer_it(question, subject):
    choice = choose(question)
    assert choice.topic is not None
    assert subject in choice.topic.casefold()
    assert choice.reason
    assert choice.runner_up != choice.topic


def test_a_question_about_nothing_or_everything_has_no_topic_but_a_reason():
    for question in ("Who won the chess championship?", "What are the main themes?"):
        choice = choose(question)
        assert choice.topic is None
        assert choice.reason
    assert choose("Who sells herring?", ()).topic is None


def test_topics_of_other_languages_and_without_description_can_be_chosen():
    texts = ("북항 재개발 사업이 늦어졌다.", "박물관은 그림을 보여 준다.")
    analyst = ExtractiveTopicAnalyst(texts)
    drafts = (TopicDraft("박물관", ""), TopicDraft("북항 재개발", ""))
    assert analyst.classify("북항 재개발은 왜 늦어졌나?", drafts, "").topic == "북항 재개발"


def test_a_name_with_a_number_is_not_its_parts():
    texts = (
        "Cadmium lies in the ground of Quay 7.",
        "The ferry berths at Quay 9 and at Quay 4.",
        "Quay 4 is dredged for the ferry, as Quay 9 was.",
        "Quay 7 is closed, for cadmium was found.",
    )
    drafts = (
        TopicDraft("Quay 9, Quay 4 and ferry", "Speaks of Quay 9, Quay 4, quay walls and quays."),
        TopicDraft("Cadmium", "Speaks of cadmium, ground and Quay 7."),
    )
    analyst = ExtractiveTopicAnalyst(texts)
    assert analyst.classify("What is wrong at Quay 7?", drafts, "").topic == "Cadmium"


def test_a_topic_of_words_that_stand_everywhere_wins_nothing_by_its_width():
    drafts = (*ANALYST.mine(TEXTS), TopicDraft("Whole", "Speaks of " + " ".join(SUBJECTS.values())))
    choice = ANALYST.classify("Why do the castings of the gate fail in a storm?", drafts, "")
    assert "flood barrier" in choice.topic.casefold()


def test_a_question_that_shares_but_one_word_with_the_corpus_has_no_topic():
    asked = "Which wandering astronomer measured the orbits of moons around Jupiter in winter ice?"
    choice = choose(asked)
    assert choice.topic is None
    assert "hardly speaks" in choice.reason
    assert choice.runner_up


def test_a_question_on_none_of_the_topics_is_told_so():
    choice = choose("Who sells herring at the auction?", (TopicDraft("Violins", "Strings."),))
    assert choice.topic is None
    assert "on none of the topics" in choice.reason


def test_a_report_that_many_communities_share_votes_once():
    texts = ("Ice in the cold store.", "The gate of the flood barrier.")
    drafts = (TopicDraft("Cold store", "Ice."), TopicDraft("Flood barrier", "Gate."))
    asked = "Is there ice at the gate?"
    once = ExtractiveTopicAnalyst(texts).classify(asked, drafts, "")
    assert ExtractiveTopicAnalyst(texts[:1] * 9 + texts[1:]).classify(asked, drafts, "") == once


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("防潮堤の工事はなぜ遅れているのですか?", "防潮堤"),
        ("污染土壤的清理计划为什么推迟?", "污染土壤"),
        ("냉동창고는 언제 옮기나요?", "냉동창고"),
    ],
)
def test_questions_in_scripts_without_spaces_are_placed_and_expanded(question, name):
    texts = (
        "防潮堤の工事は2027年まで遅れている。鋳物の欠陥が原因である。",
        "港务局推迟了污染土壤的清理计划,因为费用太高。",
        "냉동창고는 2026년에 북항으로 옮긴다. 전력 공급이 늦어졌다.",
    )
    analyst = ExtractiveTopicAnalyst(texts)
    drafts = tuple(TopicDraft(one, "") for one in ("防潮堤", "污染土壤", "냉동창고"))
    assert analyst.classify(question, drafts, "").topic == name
    (text,) = [one for one in texts if name in one]
    keywords = analyst.expand(question, "")
    assert keywords
    assert all(word in text for word in keywords)


# Expansion


def test_keywords_are_words_of_the_reports_that_the_question_lacks():
    keywords = ANALYST.expand("What does the storm do to the gate?", "")
    flood = set(SUBJECTS["Flood barrier"].split())
    assert keywords
    assert len(flood & set(keywords)) >= len(keywords) / 2
    assert not {"storm", "gate"} & set(keywords)
    assert ANALYST.expand("Who won the chess championship?", "") == ()
    assert ExtractiveTopicAnalyst(()).expand("storm", "") == ()


# Groups and terms


def test_every_text_is_in_one_group_or_resembles_nothing():
    bags = [{"a": 1, "b": 2}, {"a": 2, "b": 1}, {"c": 1, "d": 1}, {"c": 2, "d": 1}, {"z": 1}, {}]
    groups, rest = group(bags, 2)
    assert groups == [[0, 1], [2, 3]]
    assert rest == [4, 5]
    assert group([], 3) == ([], [])
    assert group([{}, {}], 3) == ([], [0, 1])


def test_terms_that_differ_in_form_only_are_one():
    terms = count_terms(["# Boreholes\n\nThe boreholes met silt.", "# Borehole\n\nA borehole."])
    assert set(terms.shown) == {"borehol"}
    assert [counts["borehol"] for counts in terms.counts] == [2, 2]


def test_many_topics_of_one_level_are_all_kept():
    pairs = tuple((f"Topic {n}", "") for n in range(500))
    assert len(unite([FoundTopics("0", 0, "", pairs)])) == 500


def test_the_words_of_a_person_s_name_name_no_topic():
    texts = [
        f"# River wall\n\nGudrun Halvorsen measured the river wall. Halvorsen wrote line {n} of it."
        for n in range(4)
    ]
    terms = count_terms([*texts, "# Halvorsen\n\nA note on Gudrun Halvorsen by the council."])
    assert "halvorsen" in terms.personal
    assert "river wall" not in terms.personal


def test_groups_do_not_depend_on_the_order_of_terms_and_repeat_themselves():
    bags = [
        {word: 1 + (n + at) % 3 for at, word in enumerate(SUBJECTS[subject].split())}
        for n in range(6)
        for subject in SUBJECTS
    ]
    turned = [dict(reversed(bag.items())) for bag in bags]
    groups, rest = group(bags, 3)
    assert group(turned, 3) == (groups, rest)
    assert groups == [list(range(start, 18, 3)) for start in range(3)]
    assert rest == []


def test_a_term_does_not_reach_over_the_end_of_a_sentence():
    text = "# Block D. A hundred and river wall\n\nThe river wall holds Block D. A hundred homes."
    shown = set(count_terms([text]).shown.values())
    assert "river wall" in shown
    assert not any(". " in one for one in shown)
    assert "St. Olaf quay" in count_terms(["# St. Olaf quay\n\nSt. Olaf quay."]).shown.values()

"""From sentences of an answer down to characters of documents."""

import pytest

from sensemaking.answers.dialect import parse_blocks, parse_sentences
from sensemaking.answers.provenance import MAX_SPANS, Resolver, compose
from sensemaking.backends.extractive.reducer import ExtractiveReducer
from sensemaking.types import AnswerSentence, Citation, Span, SubAnswer
from tests.backends import small_world as world
from tests.backends.small_world import point

FINDINGS = (
    world.finding(1, "survey", "Hallorsen found", "Cadmium and Hallorsen"),
    world.finding(2, "survey", "Removing the", "Cadmium and Quay 7"),
    world.finding(3, "press", "The ferry", "Ferry"),
)
REPORT = world.report("r1", "Quay 7 and cadmium", FINDINGS, rating=8.25)
RESOLVER = Resolver(world.graph(), (REPORT,), world.text_of)
POINTS = [point(n, one.text, 90 - n, one.id) for n, one in enumerate(FINDINGS, start=1)]


def sentences(text):
    paragraphs, _ = compose(text, POINTS, RESOLVER)
    return [one for paragraph in paragraphs for one in paragraph.sentences]


def test_a_sentence_leads_through_point_and_finding_to_the_characters():
    [one] = sentences(f"“{FINDINGS[0].text}” [1]")
    assert one.text == f"“{FINDINGS[0].text}”"
    assert one.point_ids == (POINTS[0].id,)
    assert [citation.kind for citation in one.citations] == ["relationship"]
    assert [world.text_of(s.document_id)[s.start : s.end] for s in one.spans] == [FINDINGS[0].text]
    assert one.support == 100


def test_a_joined_sentence_has_the_spans_of_all_its_points():
    [one] = sentences("Cadmium was found, and removing it costs 58 million. [1, 2]")
    assert set(one.spans) == set(FINDINGS[0].citations[0].spans + FINDINGS[1].citations[0].spans)
    assert one.point_ids == (POINTS[0].id, POINTS[1].id)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rains [2]. It pours. [1]", [("It rains.", (2,)), ("It pours.", (1,))]),
        ("It rains. [1][2] It pours [3].", [("It rains.", (1, 2)), ("It pours.", (3,))]),
        ("It rains [1], it pours [2].", [("It rains, it pours.", (1, 2))]),
        ("It rains [1-3].", [("It rains.", (1, 2, 3))]),
        ("It rains [1; 3].", [("It rains.", (1, 3))]),
        ("It rains 【2】.", [("It rains.", (2,))]),
        ("It rains [^2].", [("It rains.", (2,))]),
        ("It rains [Point 2].", [("It rains.", (2,))]),
        (
            "It rains [Data: Reports (2, 7, +more)]. It pours.",
            [("It rains.", ()), ("It pours.", ())],
        ),
        ("**It** rains *hard* [1].", [("It rains hard.", (1,))]),
        ("[1] It rains.", [("It rains.", (1,))]),
        ("No marker at all", [("No marker at all", ())]),
        ("“See [12]. It rains.” [1]", [("“See [12]. It rains.”", (1,))]),
        (
            "Ada: “it rains” [1] Bo: “it pours.” [2]",
            [("Ada: “it rains”", (1,)), ("Bo: “it pours.”", (2,))],
        ),
        ("“lower.” [1] “case.” [2]", [("“lower.”", (1,)), ("“case.”", (2,))]),
        ("비가 온다. [1] 눈이 온다. [2]", [("비가 온다.", (1,)), ("눈이 온다.", (2,))]),
        ("[1] [2]", []),
        ("", []),
    ],
)
def test_numbers_belong_to_the_sentence_they_stand_in_or_behind(text, expected):
    assert parse_sentences(text) == expected


def test_blocks_of_the_dialect():
    text = (
        "Lead [1].\nIt goes on [2].\n\n## Themes ##\n\n- First [1].\n* Second [2].\n3. Third [3].\n"
        "**Bold heading**\nText.\n\n---\n> A note.\n> Another.\n"
    )
    assert [(block.kind, block.text) for block in parse_blocks(text)] == [
        ("paragraph", "Lead [1]. It goes on [2]."),
        ("heading", "Themes"),
        ("paragraph", "First [1]."),
        ("paragraph", "Second [2]."),
        ("paragraph", "Third [3]."),
        ("heading", "Bold heading"),
        ("paragraph", "Text."),
        ("note", "A note."),
        ("note", "Another."),
    ]


def test_a_heading_goes_with_the_first_paragraph_under_it():
    paragraphs, notes = compose(
        "Lead [1].\n\n## Ferry\n\nOne [3].\n\nTwo [3].\n\n> Note.", POINTS, RESOLVER
    )
    assert [one.heading for one in paragraphs] == ["", "Ferry", ""]
    assert notes == ("Note.",)


def test_unknown_numbers_are_dropped_and_a_sentence_without_source_says_so():
    known, unknown, bare = sentences("Cadmium at Quay 7 [1, 99]. Cadmium again [0, 77]. Cadmium.")
    assert known.point_ids == (POINTS[0].id,)
    assert unknown.support == bare.support == 0
    assert unknown.citations == bare.citations == ()


def test_an_entity_stands_for_its_three_spans_closest_to_the_sentence():
    quay = world.entity("quay")
    assert len(quay.spans) > MAX_SPANS
    spans = RESOLVER.spans(Citation("entity", quay.id), "The ferry sails.")
    assert len(spans) == MAX_SPANS
    assert set(spans) <= set(quay.spans)


def test_a_relationship_without_spans_gets_those_of_its_record():
    tie = world.relationship(*world.TIES[0])
    assert RESOLVER.spans(Citation("relationship", tie.id)) == tie.spans
    assert RESOLVER.spans(Citation("relationship", "gone")) == ()


def test_spans_given_by_a_citation_survive_a_record_that_is_gone():
    span = Span("survey", 0, 10)
    assert RESOLVER.spans(Citation("relationship", "gone", (span,))) == (span,)
    assert RESOLVER.spans(Citation("finding", "gone", (span,))) == (span,)


def test_a_report_stands_for_the_spans_of_its_findings_closest_to_the_sentence():
    more = world.report(
        "r2",
        "All",
        (
            *FINDINGS,
            world.finding(4, "survey", "The survey"),
            world.finding(5, "press", "Meridian"),
        ),
    )
    resolver = Resolver(world.graph(), (more,), world.text_of)
    spans = resolver.spans(Citation("report", "r2"), "The ferry employs 188 people.")
    assert len(spans) == MAX_SPANS
    assert FINDINGS[2].citations[0].spans[0] in spans


def test_who_speaks_is_credited():
    text = f"Ida Fenner: “{FINDINGS[1].text}” [2]"
    [unknown] = sentences(text)
    resolver = Resolver(world.graph(), (REPORT,), world.text_of, lambda span: ("IDA FENNER",))
    paragraphs, _ = compose(text, POINTS, resolver)
    assert unknown.support == 40
    assert paragraphs[0].sentences[0].support == 100


def test_the_chain_tells_how_a_source_was_reached():
    [one] = sentences("Removing it costs 58 million. [2]")
    sub = SubAnswer(4, "kept", 88, tuple(POINTS), (), (), 100)
    [(span, chain)] = RESOLVER.chains(one, [sub])
    labels = [step.label for step in chain]
    assert labels[0] == "Point in window 5, helpfulness 88"
    assert labels[1] == "Finding 2 of the report “Quay 7 and cadmium”, rating 8.2"
    assert labels[2].startswith("Relationship")
    assert chain[2].text in ("Quay 7 – cadmium", "cadmium – Quay 7")
    assert chain[3].text == FINDINGS[1].text
    assert labels[3] == f"Characters {span.start:,} to {span.end:,}"


def test_a_source_without_a_way_to_it_still_shows_its_characters():
    span = Span("survey", 0, 10)
    kept = AnswerSentence("x", 100, (Citation("claim", "gone", (span,)),), ("gone",))
    [(found, chain)] = RESOLVER.chains(kept, [])
    assert found == span
    assert [step.text for step in chain] == [world.text_of("survey")[:10]]


def test_every_sentence_of_an_extractive_answer_is_supported_by_its_own_characters():
    text = "".join(ExtractiveReducer().reduce("What was found, and what is the cost?", POINTS))
    paragraphs, notes = compose(text, POINTS, RESOLVER)
    found = [one for paragraph in paragraphs for one in paragraph.sentences]
    assert len(found) == len(POINTS)
    assert notes
    for one in found:
        assert one.support == 100
        assert len(one.spans) == 1
        assert RESOLVER.text(one.spans[0]) in one.text

"""Reports cite records of their context, and nothing else."""

from __future__ import annotations

import pytest

from sensemaking.backends.llm.reporter import MIDDLE_RATING, LlmReporter
from sensemaking.errors import ModelError, ReplyUnreadable
from sensemaking.ports import ReportContext
from sensemaking.types import Citation
from tests.backends import small_world
from tests.backends.llm.replaying import REFUSAL, asked, asker, counts, cut


def context() -> ReportContext:
    made = small_world.context()
    names = {one.id: one.name for one in made.entities}
    lines = ["=== Entities ==="]
    lines += [
        f"[E{at}] {one.name} ({one.kind}): {one.description}"
        for at, one in enumerate(made.entities, start=1)
    ]
    lines += ["=== Claims ==="]
    lines += [f"[C{at}] {one.description}" for at, one in enumerate(made.claims, start=1)]
    lines += ["=== Relationships ==="]
    lines += [
        f"[R{at}] {names[one.source_id]} -- {names[one.target_id]}: {one.description}"
        for at, one in enumerate(made.relationships, start=1)
    ]
    return ReportContext(
        **{
            name: getattr(made, name)
            for name in ReportContext.__slots__
            if name not in ("text", "n_tokens")
        },
        text="\n".join(lines) + "\n",
        n_tokens=100,
    )


def finding(text, *records, heading="A heading"):
    return {"heading": heading, "text": text, "records": list(records)}


def reply(*findings, **more):
    return {
        "title": "Quay 7 and its soil",
        "summary": "Quay 7 holds cadmium.",
        "rating": 7.5,
        "rating_reason": "Much money is at stake.",
        "findings": list(findings),
    } | more


def write(*replies):
    one = asker(*replies)
    return one, LlmReporter(one).write(context())


def test_findings_cite_the_records_of_their_labels():
    one, draft = write(reply(finding("Cadmium lies deep.", "R1", "[E1]", "c2")))
    made = context()
    assert draft.findings[0].citations == (
        Citation("relationship", made.relationships[0].id),
        Citation("entity", made.entities[0].id),
        Citation("claim", made.claims[1].id),
    )
    assert (draft.title, draft.rating) == ("Quay 7 and its soil", 7.5)
    assert draft.summary_citations == (Citation("relationship", made.relationships[0].id),)
    assert len(asked(one)) == 1


def test_labels_in_the_text_are_taken_out_and_cited():
    _, draft = write(
        reply(
            finding("Cadmium lies deep [R2, C1]. It is dear (see page 3)."),
            summary="Quay 7 holds cadmium [E2].",
        )
    )
    made = context()
    assert draft.findings[0].text == "Cadmium lies deep. It is dear (see page 3)."
    assert [one.id for one in draft.findings[0].citations] == [
        made.relationships[1].id,
        made.claims[0].id,
    ]
    assert draft.summary == "Quay 7 holds cadmium."
    assert draft.summary_citations == (Citation("entity", made.entities[1].id),)


def test_labels_outside_the_context_are_dropped_and_counted():
    one, draft = write(reply(finding("Cadmium lies deep.", "R1", "R99", "S1", "x")))
    assert len(draft.findings[0].citations) == 1
    assert counts(one)["unknown labels dropped"] == 2


def test_a_finding_without_a_source_is_kept_only_when_a_record_says_it():
    one, draft = write(
        reply(
            finding("Cadmium lies deep.", "R1"),
            finding("Removing the cadmium from Quay 7 would cost 58 million crowns."),
            finding("Elephants are the largest land animals of the present day.", "R77"),
        )
    )
    assert len(draft.findings) == 2
    (source,) = draft.findings[1].citations
    assert source == Citation("relationship", context().relationships[1].id)
    assert counts(one)["findings without a source dropped"] == 1


def test_a_report_without_any_source_is_asked_for_again_and_then_refused():
    invented = reply(finding("Elephants are the largest land animals of the present day."))
    one, draft = write(invented, reply(finding("Cadmium lies deep.", "R1")))
    assert len(draft.findings) == 1
    assert 'no finding names in "records" a label' in asked(one)[1][-1].text
    with pytest.raises(ReplyUnreadable, match="report on community c"):
        write(invented)


def test_a_report_is_not_lost_for_its_rating():
    _, draft = write(reply(finding("Cadmium lies deep.", "R1"), rating="high"))
    assert draft.rating == MIDDLE_RATING
    assert "no rating that could be read" in draft.rating_reason
    _, draft = write(reply(finding("Cadmium lies deep.", "R1"), rating="8/10"))
    assert draft.rating == 8


def test_a_cut_report_keeps_its_complete_findings():
    text = (
        '{"title": "Quay 7", "summary": "It is old.", "rating": 5, "rating_reason": "So.", '
        '"findings": [{"heading": "A", "text": "Cadmium lies deep.", "records": ["R1"]}, '
        '{"heading": "B", "text": "The fer'
    )
    one, draft = write(cut(text))
    assert [finding.text for finding in draft.findings] == ["Cadmium lies deep."]
    assert counts(one)["replies cut at their limit"] == 1


def test_a_loop_of_findings_is_one_finding():
    _, draft = write(reply(*[finding("Cadmium lies deep.", "R1")] * 30))
    assert len(draft.findings) == 1
    many = [finding(f"Cadmium lies {at} metres deep.", "R1") for at in range(30)]
    assert len(write(reply(*many))[1].findings) == 10


@pytest.mark.parametrize("bad", ["the the the", REFUSAL, {"title": "x"}, "", "null", "x" * 10**6])
def test_what_is_no_report_is_a_model_error(bad):
    with pytest.raises(ModelError):
        write(bad)


def test_findings_copied_from_the_example_are_dropped():
    copied = finding("Odile Marsh, who runs the ferry, denies that she knew of the sale.", "E3")
    one, draft = write(reply(finding("Cadmium lies deep.", "R1"), copied))
    assert [finding.text for finding in draft.findings] == ["Cadmium lies deep."]
    assert counts(one)["findings without a source dropped"] == 1
    with pytest.raises(ReplyUnreadable):
        write(reply(copied))


def test_a_small_context_leaves_room_for_records():
    small = LlmReporter(asker("", context_tokens=4096, max_tokens=4096))
    assert 500 < small.context_tokens < 2600


def test_a_finding_that_tells_more_than_its_records_gets_those_that_say_it():
    told = "Hallorsen found cadmium at Quay 7, and removing it would cost 58 million crowns."
    _, draft = write(reply(finding(told, "R1")))
    made = context()
    assert [one.id for one in draft.findings[0].citations] == [
        made.relationships[0].id,
        made.relationships[1].id,
    ]


def test_a_report_in_another_language_is_asked_for_again_and_not_lost():
    german = reply(
        finding("Die Entfernung des Cadmiums würde nach dem Bericht sehr viel Geld kosten.", "R1"),
        summary="Der Bericht sagt, dass in der Erde unter dem Kai ein Gift ist und wer es zahlt.",
    )
    one, draft = write(german)
    assert "another language (de) than it must be (en)" in asked(one)[1][-1].text
    assert draft.findings[0].text.startswith("Die Entfernung")
    assert counts(one)["replies not as wished"] == 1
    _, draft = write(german, reply(finding("Cadmium lies deep.", "R1")))
    assert draft.findings[0].text == "Cadmium lies deep."

import os
import random
import subprocess
import sys

import msgspec
import pytest

from sensemaking.config import GraphSettings
from sensemaking.graph import build_graph
from sensemaking.graph.formula import find_formulas
from sensemaking.graph.reading import read
from sensemaking.types import (
    Extraction,
    KnowledgeGraph,
    Mention,
    MentionedClaim,
    MentionedRelationship,
    Span,
)
from tests.graph.texts import extract, graph_of, make_chunks, make_document, names

CALL = """\
SATYA NADELLA: Contoso grew in the last year. Azure sales rose 40 percent in 2019, which is good.

AMY HOOD: As Nadella said, cloud computing grew. Mr. Nadella is right about cloud computing.

SATYA NADELLA: Amy Hood runs the finance team, and Hood knows cloud computing very well.

AMY HOOD: The sales of Azure came from cloud computing in Europe and from new contracts.

SATYA NADELLA: We will invest in data centers in Europe, and so will Contoso in the spring.

AMY HOOD: We expect more of this in the next quarter, as Contoso told us some weeks ago.
"""
DOCKS = [
    "The Varnholm Harbour Authority (VHA) closed Quay 7. Cadmium was found at Quay 7 in June 2024. "
    "VHA will pay for the cadmium.",
    "Captain Birgit Oldenburg spoke for the Harbour Authority. Oldenburg had seen the cadmium at "
    "Quay 7. The basin lease names the Authority.",
    "The basin lease was signed by Meridian Littoral plc. Meridian Littoral will not pay for "
    "cadmium at Quay 7, said Captain Oldenburg.",
]


def entity(graph: KnowledgeGraph, name: str):
    found = [one for one in graph.entities if name in (one.name, *one.aliases)]
    assert len(found) == 1, f"{name}: {[one.name for one in found]}"
    return found[0]


def content(graph: KnowledgeGraph) -> bytes:
    return msgspec.json.encode((graph.entities, graph.relationships, graph.claims))


def test_all_ways_to_write_a_person_are_one_entity():
    graph = graph_of(
        CALL, "Nadella, who was born in Hyderabad, spoke of Azure. Azure pleased Nadella."
    )
    nadella = entity(graph, "Satya Nadella")
    assert nadella.kind == "person"
    assert "Nadella" in nadella.aliases
    assert {span.document_id for span in nadella.spans} == {
        make_document(CALL, "0.txt").id,
        *(one.spans[0].document_id for one in graph.entities if one.name == "Hyderabad"),
    }


def test_a_surname_of_two_persons_stays_apart():
    graph = graph_of(
        "Anna Berg met Karl Berg in Oslo. Later Berg left Oslo. Anna Berg and Karl Berg stayed."
    )
    assert {"Anna Berg", "Karl Berg"} <= names(graph)
    for full in ("Anna Berg", "Karl Berg"):
        assert "Berg" not in entity(graph, full).aliases


def test_acronyms_and_shorter_names_of_institutions_are_joined():
    graph = graph_of(*DOCKS)
    authority = entity(graph, "Varnholm Harbour Authority")
    assert {"VHA", "Harbour Authority"} <= set(authority.aliases)
    assert "Meridian Littoral" in {
        name for one in graph.entities for name in (one.name, *one.aliases)
    }


def test_plural_case_and_hyphens_are_one_concept():
    graph = graph_of(
        "A data center needs power. Data centers need water. The data-center of Oslo is cold."
    )
    concept = entity(graph, "data center")
    assert len(concept.spans) == 3
    assert concept.kind == "concept"


def test_spans_are_surfaces_and_chunks_own_them():
    documents = [make_document(text, f"{n}.txt") for n, text in enumerate(DOCKS)]
    text_of = {one.id: one.text for one in documents}
    chunks = [chunk for one in documents for chunk in make_chunks(one, 60)]
    extractions = [found for one in documents for found in extract(one, make_chunks(one, 60))]
    graph = build_graph(documents, chunks, extractions, GraphSettings())
    by_id = {chunk.id: chunk for chunk in chunks}
    for one in graph.entities:
        written = {name.casefold() for name in (one.name, *one.aliases)}
        assert any(
            text_of[span.document_id][span.start : span.end].casefold() in written
            for span in one.spans
        )
        for span in one.spans:
            assert any(
                by_id[key].document_id == span.document_id
                and by_id[key].own_start <= span.start < by_id[key].end
                for key in one.chunk_ids
            )
    for tie in graph.relationships:
        assert tie.source_id < tie.target_id
        assert tie.weight > 0
        assert tie.spans
        assert tie.description


def test_ties_name_their_best_sentence():
    graph = graph_of(*DOCKS)
    ends = {entity(graph, "Quay 7").id, entity(graph, "cadmium").id}
    (tie,) = [one for one in graph.relationships if {one.source_id, one.target_id} == ends]
    assert "admium" in tie.description
    assert "Quay 7" in tie.description


def test_the_description_of_an_entity_defines_it():
    graph = graph_of(
        "I saw Contoso in Oslo yesterday evening. Contoso is a maker of batteries for trams. "
        "Oslo and Contoso are old friends, as all of us know."
    )
    assert entity(graph, "Contoso").description == "Contoso is a maker of batteries for trams."


def test_claims_carry_dates_and_are_each_once():
    graph = graph_of(DOCKS[0], DOCKS[0] + " The end.")
    dated = [one for one in graph.claims if one.start_date == "2024-06"]
    assert len(dated) == 1
    assert len(dated[0].spans) == 2
    assert {one.subject_id for one in graph.claims} <= {one.id for one in graph.entities}


def test_formulas_do_not_become_entities():
    subjects = [
        "protein design",
        "quantum computers",
        "coral reefs",
        "steel bridges",
        "jet engines",
    ]
    graph = graph_of(
        *(
            f"Welcome to the wonderful listener lounge of our evening programme. Today {subject} "
            f"matter to Oslo. We love {subject} and we study {subject}."
            for subject in subjects
        )
    )
    assert "protein design" in {one.name for one in graph.entities}
    assert not {"listener lounge", "evening programme"} & names(graph)


FACTS = (
    "The Harbour Authority leased Quay 7 to Meridian Littoral in 2019. Cadmium lies under Quay 7, "
    "and Ida Fenner of Hallorsen found the cadmium there. Meridian Littoral denies it."
)


@pytest.mark.parametrize("n_copies", [1, 3, 6, 60])
def test_what_copies_of_one_document_say_is_no_formula(n_copies):
    graph = graph_of(*[FACTS] * n_copies)
    assert {"Harbour Authority", "Quay 7", "Meridian Littoral", "Ida Fenner"} <= names(graph)
    assert graph.relationships


def test_versions_of_one_document_keep_their_content():
    graph = graph_of(*(f"{FACTS} The clerk of version {n} was Bo Falk." for n in range(8)))
    assert {"Harbour Authority", "Quay 7", "Meridian Littoral", "Bo Falk"} <= names(graph)


def test_short_notes_that_repeat_the_same_names_keep_them():
    notes = [
        f"Anna Berg met Bo Falk at the Harbour Office on day {n}. They spoke about Quay 7."
        for n in range(60)
    ]
    assert {"Anna Berg", "Bo Falk", "Harbour Office", "Quay 7"} <= names(graph_of(*notes))


def test_furniture_at_the_edge_of_many_documents_is_a_formula_and_their_content_is_not():
    shared = "The Harbour Authority of Varnholm owns every quay between the lock and the sea wall."
    things = ["crane", "lock", "pump", "weir", "ramp", "shed"]
    things += ["tower", "barge", "rail", "gate", "pier", "mast"]

    def body(n: int) -> str:
        return " ".join(
            f"The {thing} of {year} was {done} by the {other} of the port."
            for thing, year, other, done in zip(
                things,
                range(1800 + 20 * n, 1900 + 20 * n),
                things[n + 1 :] + things[: n + 1],
                ["built", "sold", "moved", "lost"] * 3,
                strict=False,
            )
        )

    texts = [
        f"Sent from the shared mail room of the tower. {body(n)} {shared} {body(n + 6)}"
        for n in range(6)
    ]
    documents = [make_document(text, f"{n}.txt") for n, text in enumerate(texts)]
    chunks = [chunk for one in documents for chunk in make_chunks(one)]
    reading = read(documents, chunks, [x for d in documents for x in extract(d, make_chunks(d))])
    said = [d.text for d in reading.documents]
    found = {
        said[row.document][row.span.start : row.span.end]: is_formula
        for row, is_formula in reversed(
            list(zip(reading.sentences, find_formulas(reading), strict=True))
        )
    }
    assert found["Sent from the shared mail room of the tower."]
    assert not found[shared]


def test_the_order_of_the_input_changes_nothing():
    documents = [make_document(text, f"{n}.txt") for n, text in enumerate([CALL, *DOCKS])]
    chunks = [chunk for one in documents for chunk in make_chunks(one, 50, 100)]
    found = [x for one in documents for x in extract(one, make_chunks(one, 50, 100))]
    expected = content(build_graph(documents, chunks, found, GraphSettings()))
    for seed in range(3):
        shuffled = [list(documents), list(chunks), list(found)]
        for part in shuffled:
            random.Random(seed).shuffle(part)
        assert content(build_graph(*shuffled, GraphSettings())) == expected


PRINT_DIGEST = """
from tests.graph.test_build import CALL, DOCKS, content
from tests.graph.texts import graph_of
from sensemaking.types import digest
print(digest(content(graph_of(CALL, *DOCKS))))
"""


def test_the_hash_seed_changes_nothing():
    digests = {
        subprocess.run(
            [sys.executable, "-c", PRINT_DIGEST],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        ((), "en"),
        (("",), "en"),
        (("Well, yes.",), "en"),
        (("Contoso is in Oslo.",), "en"),
        (("서울의 항만청은 카드뮴을 조사했다. 항만청이 부두를 닫았다.",), "ko"),
        (("أغلقت السلطة الميناء بعد التلوث. الميناء على البحر.",), "ar"),
        (("港务局发现镉污染。镉污染在七号码头。",), "zh"),
    ],
)
def test_tiny_corpora_work(texts: tuple[str, ...], language: str):
    graph = graph_of(*texts, language=language)
    expects_entities = any(len(text) > 12 for text in texts)
    assert bool(graph.entities) == expects_entities
    assert bool(graph.relationships) == expects_entities


def test_the_graph_hangs_together():
    graph = graph_of(*DOCKS, CALL.replace("Contoso", "Quay 7"))
    assert len(graph.components[0]) >= 0.85 * len(graph.entities)


def test_what_a_model_states_is_merged():
    document = make_document("Contoso bought Fabrikam. Contoso paid in cash.")
    first, second = make_chunks(document, 25)
    spans = (Span(document.id, 0, 7), Span(document.id, 15, 23), Span(document.id, 25, 32))
    whole = (Span(document.id, 0, 24),)
    stated = [
        Extraction(
            first.id,
            (
                Mention("Contoso", "organisation", spans[:1], "A firm."),
                Mention("Fabrikam", "organisation", spans[1:2], "A target."),
            ),
            (MentionedRelationship(0, 1, "Contoso bought Fabrikam", 8.0, whole),),
            (MentionedClaim(0, 1, "event", "true", "Contoso bought Fabrikam.", whole, "2019"),),
        ),
        Extraction(second.id, (Mention("CONTOSO", "organisation", spans[2:], "A firm."),)),
    ]
    graph = build_graph([document], [first, second], stated, GraphSettings())
    assert names(graph) == {"Contoso", "Fabrikam"}
    contoso = entity(graph, "Contoso")
    assert (contoso.description, contoso.aliases) == ("A firm.", ("CONTOSO",))
    (tie,) = graph.relationships
    assert (tie.weight, tie.description, tie.spans) == (8.0, "Contoso bought Fabrikam", whole)
    assert [claim.start_date for claim in graph.claims] == ["2019"]


def test_extractions_of_other_chunks_are_left_out():
    document = make_document(DOCKS[0])
    chunks = make_chunks(document)
    stray = Extraction("no such chunk", (Mention("Ghost", "person", (Span("x", 0, 5),)),))
    found = [*extract(document, chunks), stray]
    assert "Ghost" not in names(build_graph([document], chunks, found, GraphSettings()))


def test_a_tie_tells_its_best_sentences_one_a_line_each_with_its_span():
    texts = [
        f"The {thing} of Meridian Littoral is near Quay 7, {place} the lock. Meridian Littoral "
        f"closed Quay 7 again in {year}, as it had said it would."
        for thing, place, year in (
            ("crane", "behind", 2019),
            ("store", "before", 2020),
            ("ferry", "above", 2021),
        )
    ]
    graph = graph_of(*texts)
    [tie] = [
        one
        for one in graph.relationships
        if {graph.entity_by_id[one.source_id].name, graph.entity_by_id[one.target_id].name}
        == {"Meridian Littoral", "Quay 7"}
    ]
    lines = tie.description.split("\n")
    assert len(lines) == 3
    documents = {make_document(text, f"{n}.txt").id: text for n, text in enumerate(texts)}
    for line, span in zip(lines, tie.spans, strict=False):
        assert line == documents[span.document_id][span.start : span.end]
    assert len({span.document_id for span in tie.spans[:3]}) == 3

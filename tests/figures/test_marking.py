"""Entities marked in a document: none inside another, no character lost, pages that fit."""

import random

import pytest

from sensemaking.figures.marking import Mark, cut_pages, cut_text, index_marks
from sensemaking.types import Document, Entity, KnowledgeGraph, Section, Span

TEXT = "Ada Penrose of Larkmere Council met Ada.\nThe Council paid."


def document(text: str, *sections: Section) -> Document:
    return Document("d", "a.txt", "", text, "text/plain", "en", 9, (), sections)


def entity(name: str, *places: tuple[int, int]) -> Entity:
    spans = tuple(Span("d", start, end) for start, end in places)
    return Entity(name, name, "person", "", spans, ("c",))


def test_overlapping_names_are_marked_once_the_longest_first() -> None:
    graph = KnowledgeGraph(
        "general",
        (entity("Ada", (0, 3), (36, 39)), entity("Ada Penrose", (0, 11)), entity("rose", (7, 11))),
        (),
        (),
    )
    assert index_marks(graph) == {"d": (Mark(0, 11, "Ada Penrose"), Mark(36, 39, "Ada"))}


def test_a_document_without_entities_has_no_marks() -> None:
    assert index_marks(KnowledgeGraph("general", (), (), ())) == {}


def test_stretches_say_what_they_are_and_give_the_text_back() -> None:
    marks = (Mark(0, 11, "Ada Penrose"),)
    heading = Section("heading", "", 0, 14)
    found = cut_text(document(TEXT, heading), (0, len(TEXT)), marks, (4, 20))
    assert "".join(one.text for one in found) == TEXT
    assert "".join(one.text for one in found if one.entity_id) == "Ada Penrose"
    assert "".join(one.text for one in found if one.is_evidence) == TEXT[4:20]
    assert "".join(one.text for one in found if one.style == "heading") == TEXT[:14]


@pytest.mark.parametrize("seed", range(20))
def test_any_marks_on_any_page_lose_no_character(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(rng.choice("ab \n") for _ in range(400))
    spans = [(a, a + rng.randint(1, 30)) for a in (rng.randrange(380) for _ in range(30))]
    graph = KnowledgeGraph(
        "general", tuple(entity(f"e{n}", span) for n, span in enumerate(spans)), (), ()
    )
    marks = index_marks(graph)["d"]
    assert all(a.end <= b.start for a, b in zip(marks, marks[1:], strict=False))
    edges = cut_pages(text, 90)
    assert edges[0] == 0
    assert edges[-1] == len(text)
    pages = list(zip(edges, edges[1:], strict=False))
    assert all(0 < last - first <= 90 for first, last in pages)
    whole = document(text, Section("furniture", "", 10, 200))
    shown = [cut_text(whole, page, marks, (50, 120)) for page in pages]
    assert "".join(one.text for page in shown for one in page) == text
    seen = "".join(one.text for page in shown for one in page if one.is_evidence)
    assert seen == text[50:120]

"""One document to read, page by page, its entities marked, the card of an entity beside it."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._entity import draw_entity
from pages._look import esc
from pages._reader import STROKES, draw_text, kind_color, kind_of
from pages._report import community_name
from pages._words import count, media, number, plain_label, shorten
from sensemaking.figures.marking import Mark, cut_pages, cut_text
from sensemaking.types import Document, Entity, KnowledgeGraph, Span
from sensemaking.workspace import Corpus

PAGE_SIZE = 16_000
"""Characters on a page, about."""
LISTED = 14


def draw_reading(corpus: Corpus, document: Document) -> None:
    """Draw one document, the passage of the address marked and scrolled to."""
    st.button(
        "All documents",
        icon=":material/chevron_left:",
        type="tertiary",
        key="back",
        on_click=session.clear_params,
    )
    graph = session.graph(corpus) if corpus.hierarchies() else None
    marks = session.marks(corpus).get(document.id, ()) if graph is not None else ()
    dates = [value for key, value in document.metadata if key == "date"]
    parts = [
        document.name if document.title else "",
        media(document.media_type),
        count(document.n_words, "word"),
        *dates,
    ]
    look.head(
        document.title or document.name, ", ".join(one for one in dict.fromkeys(parts) if one)
    )
    text, side = st.columns([1.55, 1], gap="medium")
    with text, st.container(border=True, key="panel_document", gap="small"):
        _draw_page(document, graph, marks)
    with side, st.container(border=True, key="panel_beside", gap="small"):
        _draw_beside(corpus, graph, marks)


def asked_span(document: Document) -> Span | None:
    """Return the passage of the address, where it lies within the document."""
    begin, end = session.number_param("start"), session.number_param("end")
    if begin is None or end is None or not begin < end <= len(document.text):
        return None
    return Span(document.id, begin, end)


def _draw_page(document: Document, graph: KnowledgeGraph | None, marks: tuple[Mark, ...]) -> None:
    span = asked_span(document)
    edges = cut_pages(document.text, PAGE_SIZE)
    n_pages = len(edges) - 1
    page = _asked_page(edges, span)
    entities = graph.entity_by_id if graph is not None else {}
    shown = _asked_kinds(entities, marks)
    chosen = tuple(one for one in marks if kind_of(entities[one.entity_id]) in shown)
    first, last = edges[page - 1], edges[page]
    evidence = (span.start, span.end) if span else None
    if marks:
        _draw_kinds(entities, marks)
    if not document.text:
        look.text("There is no text in this document.", "s")
        return
    draw_text(
        cut_text(document, (first, last), chosen, evidence),
        entities,
        version=f"{document.id} {first} {last} {evidence} {' '.join(sorted(shown))}",
        picked=session.param("entity"),
        key="reader",
    )
    marked = f"Marked: characters {span.start:,} to {span.end:,}. " if span else ""
    part = "" if n_pages == 1 else f"Characters {first:,} to {last:,} of {len(document.text):,}."
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="pages"
    ):
        look.text(marked + part, "s")
        if n_pages > 1:
            _draw_pages(n_pages, page)


def _asked_page(edges: tuple[int, ...], span: Span | None) -> int:
    """Return the page of the address, else that of the passage, from 1."""
    n_pages = len(edges) - 1
    asked = session.number_param("page")
    if asked is not None:
        return min(n_pages, max(1, asked))
    if span is None:
        return 1
    return next(n for n in range(1, n_pages + 1) if span.start < edges[n])


def _draw_pages(n_pages: int, page: int) -> None:
    def turn() -> None:
        session.set_params(page=session.kept("page_of_document", 1))

    session.keep("page_of_document", page)
    st.pagination(n_pages, max_visible_pages=7, key="page_of_document", on_change=turn)


def _kinds(entities: dict[str, Entity], marks: tuple[Mark, ...]) -> Counter[str]:
    return Counter(kind_of(entities[one.entity_id]) for one in marks)


def _asked_kinds(entities: dict[str, Entity], marks: tuple[Mark, ...]) -> set[str]:
    known = _kinds(entities, marks)
    chosen = session.kept("mark_kinds", list(known))
    return {kind for kind in chosen if kind in known}


def _draw_kinds(entities: dict[str, Entity], marks: tuple[Mark, ...]) -> None:
    """Draw which kinds are marked, each with its icon; all of them at first."""
    kinds = look.tokens()["kinds"]
    numbers = _kinds(entities, marks)
    options = [kind for kind in kinds if numbers[kind]]
    session.keep("mark_kinds", [one for one in options if one in _asked_kinds(entities, marks)])
    st.pills(
        "Marked kinds",
        options,
        selection_mode="multi",
        format_func=lambda kind: (
            f":material/{kinds[kind]['icon']}: {kind.capitalize()} {number(numbers[kind])}"
        ),
        key="mark_kinds",
        label_visibility="collapsed",
    )


def _draw_beside(corpus: Corpus, graph: KnowledgeGraph | None, marks: tuple[Mark, ...]) -> None:
    if graph is None:
        look.heading("No entities yet")
        look.text("After a build, the people, organisations and things named here are marked.", "s")
        return
    entity = graph.entity_by_id.get(session.param("entity") or "")
    if entity is None:
        _draw_named(graph, marks)
        return
    st.button(
        "Named here",
        icon=":material/chevron_left:",
        type="tertiary",
        key="close_entity",
        on_click=session.set_params,
        kwargs={"entity": None},
    )
    head = corpus.hierarchies()[0]
    home = session.homes(corpus, head.key).get(entity.id)
    place = ""
    if home:
        community = session.hierarchy(corpus, head.key).by_id[home]
        place = community_name(community, session.reports(corpus, head.key))
    draw_entity(
        corpus,
        graph,
        entity,
        core_number=session.core_numbers(corpus)[entity.id],
        place=place,
        on_pick=lambda one: session.set_params(entity=one),
    )
    with st.container(key="link_graph"):
        st.page_link(
            "graph.py",
            label="Show it in the graph",
            icon=":material/hub:",
            query_params={"corpus": corpus.name, "entity": entity.id},
        )


def _draw_named(graph: KnowledgeGraph, marks: tuple[Mark, ...]) -> None:
    """Draw the entities that the document names most, as buttons; the way of the keyboard."""
    numbers = Counter(one.entity_id for one in marks)
    look.heading("Named here", count(len(numbers), "entity", "entities"))
    if not numbers:
        look.text("The build found no entity in this document.", "s")
        return
    look.text("Click a marked word, or a name, to open its card.", "s")
    ranked = sorted(numbers, key=lambda one: (-numbers[one], graph.entity_by_id[one].name, one))
    with st.container(key="names", gap=None):
        for key in ranked[:LISTED]:
            _draw_name(graph.entity_by_id[key], numbers[key])
    if len(ranked) > LISTED:
        look.text(f"and {number(len(ranked) - LISTED)} more, named less often", "s")


def _draw_name(entity: Entity, times: int) -> None:
    kind = kind_of(entity)
    color, icon = kind_color(kind), look.tokens()["kinds"][kind]["icon"]
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"named_row_{entity.id}"
    ):
        st.html(
            f'<span class="sm-kind" title="{esc(entity.kind)}"><span class="ico" '
            f'style="color:{color}">{icon}</span><i class="sm-stroke" '
            f'style="border-bottom:{_border(kind)} {color}"></i></span>',
            width="content",
        )
        with st.container(key=f"link_named_{entity.id}", width="stretch"):
            st.button(
                plain_label(shorten(entity.name, 46)),
                type="tertiary",
                key=f"named_{entity.id}",
                on_click=session.set_params,
                kwargs={"entity": entity.id},
            )
        st.html(f'<span class="sm-s">{esc(number(times))}</span>', width="content")


def _border(kind: str) -> str:
    stroke = STROKES[kind]
    width = {"double": 4, "wavy": 4}.get(stroke, 1 if kind == "concept" else 2)
    return f"{width}px {'ridge' if stroke == 'wavy' else stroke}"

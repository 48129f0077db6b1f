"""The card of an entity: what it is, what it is tied to, what is claimed of it, where it stands."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages import _evidence as evidence
from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._words import count, number, plain_label, shorten
from sensemaking.types import Claim, Entity, KnowledgeGraph, Relationship, Span
from sensemaking.workspace import Corpus

AT_ONCE = 12
"""Relationships or claims shown at first; as many more with each click."""
PASSAGES = 5
MAX_ALIASES = 5

Pick = Callable[[str], None]


def kind_label(kind: str) -> str:
    """Return the icon of an entity kind in its colour, and its word."""
    kinds = look.tokens()["kinds"]
    one = kinds.get(kind, kinds["concept"])
    return (
        f'<span class="sm-kind"><span class="ico" style="color:{one[look.mode()]}">{one["icon"]}'
        f"</span>{esc(kind.capitalize() or 'Concept')}</span>"
    )


def draw_entity(
    corpus: Corpus,
    graph: KnowledgeGraph,
    entity: Entity,
    *,
    core_number: int,
    place: str,
    on_pick: Pick,
) -> None:
    """Draw the card; `place` names the community where it is at home, "" for none."""
    inside = f'<span class="sm-s">in <b>{esc(shorten(place, 40))}</b></span>' if place else ""
    also = ", ".join(entity.aliases[:MAX_ALIASES])
    if len(entity.aliases) > MAX_ALIASES:
        also += f" and {len(entity.aliases) - MAX_ALIASES} more"
    look.draw(
        f'<div class="sm-row sm-sp">{kind_label(entity.kind)}{inside}</div>'
        f'<h2 class="sm-h2">{esc(shorten(entity.name, 120))}</h2>'
        + (f'<p class="sm-s">also {esc(shorten(also, 200))}</p>' if also else "")
    )
    if entity.description:
        look.draw(f'<p class="sm-src small">{esc(entity.description)}</p>')
    documents = {span.document_id for span in entity.spans}
    look.facts(
        [
            ("Mentions", number(len(entity.spans))),
            ("Documents", number(len(documents))),
            ("Degree", number(graph.degrees[entity.id])),
            ("Core k", number(core_number)),
        ]
    )
    ties = _ties(graph, entity)
    claims = [one for one in graph.claims if entity.id in (one.subject_id, one.object_id)]
    labels = [f"Relationships {len(ties)}", f"Claims {len(claims)}", "Passages"]
    # Only the tab that is open is drawn: passages are looked up when they are asked for.
    shown, told, read = st.tabs(labels, key=f"entity_tabs_{entity.id}", on_change="rerun")
    if shown.open:
        with shown:
            _draw_ties(graph, ties, on_pick)
    if told.open:
        with told:
            _draw_claims(claims)
    if read.open:
        with read:
            draw_passages(corpus, entity.spans, key=f"entity_{entity.id}")


def draw_passages(corpus: Corpus, spans: tuple[Span, ...], *, key: str) -> None:
    """Draw some passages in the order of the documents, page by page."""
    pages = -(-len(spans) // PASSAGES)
    page = 1
    if pages > 1:
        page = _page(pages, key)
    chosen = spans[(page - 1) * PASSAGES : page * PASSAGES]
    for n, one in enumerate(corpus.passages(chosen)):
        evidence.passage(one, key=f"{key}_{n}", small=True)
        evidence.document_link(one, corpus.name, key=f"{key}_{n}")


def _page(pages: int, key: str) -> int:
    return int(
        st.number_input(
            f"Page of {number(pages)}",
            min_value=1,
            max_value=pages,
            key=f"page_{key}",
            help=f"{PASSAGES} passages each",
        )
    )


def _ties(graph: KnowledgeGraph, entity: Entity) -> list[Relationship]:
    found = [one for one in graph.relationships if entity.id in (one.source_id, one.target_id)]
    return sorted(found, key=lambda one: (-one.weight, one.id))


def _draw_ties(graph: KnowledgeGraph, ties: list[Relationship], on_pick: Pick) -> None:
    if not ties:
        look.text("It stands alone: nothing in the documents ties it to anything else.", "s")
        return
    strongest = ties[0].weight
    here = set.intersection(*({one.source_id, one.target_id} for one in ties))
    for one in ties[: _n_shown(ties[0].id)]:
        ends = (one.source_id, one.target_id)
        other = graph.entity_by_id[ends[1] if ends[0] in here else ends[0]]
        with st.container(key=f"link_tie_{one.id}", gap=None):
            st.button(
                plain_label(shorten(other.name, 44)),
                type="tertiary",
                key=f"tie_{one.id}",
                on_click=on_pick,
                args=(other.id,),
            )
            look.draw(
                f'<div class="sm-row"><p class="sm-s sm-grow">'
                f"{esc(shorten(one.description, 110))}</p>"
                f'<div class="sm-tie">{look.bar(one.weight / strongest)}</div></div>'
            )
    _draw_more(ties[0].id, len(ties), "weaker tie")


def _n_shown(key: str) -> int:
    return session.kept(f"shown_{key}", AT_ONCE)


def _draw_more(key: str, n_all: int, what: str) -> None:
    """Draw the button that lengthens a list, where there is more of it."""
    left = n_all - _n_shown(key)
    if left > 0:
        st.button(
            f"Show {min(left, AT_ONCE)} more of {count(left, what)}",
            type="tertiary",
            key=f"more_{key}",
            on_click=session.keep,
            args=(f"shown_{key}", _n_shown(key) + AT_ONCE),
        )


def _draw_claims(claims: list[Claim]) -> None:
    """Draw claims in the order of their dates, those without one last."""
    if not claims:
        look.text("Nothing dated or counted is said of it.", "s")
        return
    ordered = sorted(claims, key=lambda one: (one.start_date or "9999", one.id))
    rows = []
    for one in ordered[: _n_shown(ordered[0].id)]:
        sure = one.status == "true"
        tag = "" if sure else f" {look.tag(one.status)}"
        rows.append(
            f'<span class="d">{esc(_dates(one))}</span>'
            f'<span class="k{"" if sure else " open"}"></span>'
            f'<span class="x">{esc(shorten(one.description, 160))}{tag}</span>'
        )
    look.draw(f'<div class="sm-time">{"".join(rows)}</div>')
    _draw_more(ordered[0].id, len(ordered), "claim")


def _dates(claim: Claim) -> str:
    """Return when a claim begins and, where that is another day, ends."""
    end = claim.end_date if claim.end_date != claim.start_date else None
    return f"{claim.start_date or '–'}{f' to {end}' if end else ''}"

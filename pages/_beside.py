"""A second hierarchy beside the one that is shown: paired leaves, and the entities that moved."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages._report import community_name
from pages._words import count, number, share
from sensemaking.figures.beside import Dot, LeafPair, Matching, beside_figures
from sensemaking.figures.filtering import Filters
from sensemaking.figures.network import Request
from sensemaking.types import Hierarchy, HierarchySummary, Report
from sensemaking.workspace import Corpus

MOST_DOTS = 1000
ROWS_SHOWN = 8


def draw_beside(corpus: Corpus, heads: Sequence[HierarchySummary], hierarchy: Hierarchy) -> None:
    """Draw the comparison with the hierarchy that the address names, and the choice of it."""
    others = {head.key: head for head in heads if head.key != hierarchy.key}
    look.heading("Side by side", "The same entities, grouped in two ways")
    if not others:
        look.text(
            "There is one hierarchy only. Choose more algorithms under Documents, Settings of the "
            "build, and build again: reports that stay the same are not written twice.",
            "s",
        )
        return
    asked = session.param("beside")
    options = ["", *others]

    def change() -> None:
        session.set_params(beside=session.kept("beside", "") or None)

    session.keep("beside", asked if asked in others else "")
    st.selectbox(
        "Second hierarchy",
        options,
        format_func=lambda key: choices.hierarchy_label(key) if key else "Choose a second one",
        key="beside",
        label_visibility="collapsed",
        width=320,
        on_change=change,
    )
    if asked in others:
        _draw(corpus, hierarchy, session.hierarchy(corpus, asked))


def _draw(corpus: Corpus, first: Hierarchy, second: Hierarchy) -> None:
    matching = session.matching(corpus, first.key, second.key)
    reports = {**session.reports(corpus, first.key), **session.reports(corpus, second.key)}
    same = sum(
        pair.first is not None
        and pair.second is not None
        and pair.shared == len(pair.first.home_ids) == len(pair.second.home_ids)
        for pair in matching.pairs
    )
    look.facts(
        [
            ("Leaves that are the same", number(same), f"of {number(len(first.leaves))}"),
            (
                "Entities that moved",
                number(len(matching.moved)),
                f"{share(len(matching.moved), matching.n_placed)} of {number(matching.n_placed)}",
            ),
        ]
    )
    _draw_figures(corpus, (first, second), matching, reports)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        look.text("Leaves, paired by what they share", "s")
        _draw_pairs(matching.pairs, (first, second), reports)
    with right:
        look.text("Entities that moved, the best connected first", "s")
        _draw_moved(corpus, matching, (first, second), reports)


def _draw_figures(
    corpus: Corpus,
    both: tuple[Hierarchy, Hierarchy],
    matching: Matching,
    reports: dict[str, Report],
) -> None:
    request = Request(None, most_units=MOST_DOTS)
    network, arrangement = session.drawn(corpus, both[0].key, request, Filters())
    dots = [
        Dot(unit.id, unit.name, float(x), float(y))
        for unit, (x, y) in zip(network.units, arrangement.places, strict=True)
        if unit.what == "entity"
    ]
    titles = {
        leaf.id: community_name(leaf, reports) for hierarchy in both for leaf in hierarchy.leaves
    }
    figures = beside_figures(dots, matching, titles, look.palette())
    for column, hierarchy, figure in zip(st.columns(2, gap="medium"), both, figures, strict=True):
        with column:
            look.text(choices.hierarchy_label(hierarchy.key), "h")
            st.plotly_chart(
                figure,
                key=f"beside_{hierarchy.key}",
                theme=None,
                config={"displayModeBar": False, "scrollZoom": True},
                alt="Entities at their places, coloured by leaf; the tables below say the same.",
            )
    shown = count(len(dots), "entity", "entities")
    look.text(
        f"The {shown} with most ties. Equal colours are paired leaves; the outlined ones moved.",
        "s",
    )


def _draw_pairs(
    pairs: Sequence[LeafPair], both: tuple[Hierarchy, Hierarchy], reports: dict[str, Report]
) -> None:
    names = [choices.hierarchy_label(one.key) for one in both]
    frame = pd.DataFrame(
        [
            {
                names[0]: community_name(pair.first, reports) if pair.first else None,
                names[1]: community_name(pair.second, reports) if pair.second else None,
                "Shared": pair.shared,
                "Only left": len(pair.first.home_ids) - pair.shared if pair.first else 0,
                "Only right": len(pair.second.home_ids) - pair.shared if pair.second else 0,
            }
            for pair in pairs
        ]
    )
    _table(frame, f"pairs_{both[0].key}_{both[1].key}", "Leaves of both hierarchies in pairs")


def _draw_moved(
    corpus: Corpus,
    matching: Matching,
    both: tuple[Hierarchy, Hierarchy],
    reports: dict[str, Report],
) -> None:
    graph = session.graph(corpus)
    homes = [session.homes(corpus, one.key) for one in both]
    names = [choices.hierarchy_label(one.key) for one in both]
    moved = sorted(
        matching.moved, key=lambda one: (-graph.degrees[one], graph.entity_by_id[one].name)
    )
    frame = pd.DataFrame(
        [
            {
                "Entity": graph.entity_by_id[one].name,
                names[0]: community_name(both[0].by_id[homes[0][one]], reports),
                names[1]: community_name(both[1].by_id[homes[1][one]], reports),
            }
            for one in moved
        ],
        columns=["Entity", *names],
    )
    _table(frame, f"moved_{both[0].key}_{both[1].key}", "Entities that are grouped otherwise")


def _table(frame: pd.DataFrame, key: str, alt: str) -> None:
    st.dataframe(
        frame,
        hide_index=True,
        row_height=32,
        height=max(1, min(len(frame), ROWS_SHOWN)) * 32 + 36,
        key=key,
        placeholder="–",
        alt=alt,
    )

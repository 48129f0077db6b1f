"""What the address of the Communities page says, and how it changes."""

from __future__ import annotations

from pages import _session as session
from sensemaking.types import Community, Hierarchy

FRESH: dict[str, str | int | None] = {"finding": None, "level": None, "page": None}
"""What does not outlast the community it was about."""
FIGURES = {"treemap": "Treemap", "icicle": "Icicle", "sunburst": "Sunburst", "tree": "Tree"}


def open_community(community_id: str | None) -> None:
    """Make a community the focus; None is the whole corpus."""
    session.set_params(**FRESH | {"community": community_id})


def asked_figure() -> str:
    """Return how the hierarchy is to be drawn."""
    asked = session.param("as") or ""
    return asked if asked in FIGURES else "treemap"


def asked_level(hierarchy: Hierarchy, focus: Community | None) -> tuple[list[int], int]:
    """Return the levels below the focus, and the one to show.

    That is the asked one; or, from the second on, the first in whose view no community holds more
    than half of the entities: cores lie in one another, and coarse views are one of them in whole.
    """
    deepest = hierarchy.n_levels - 1
    below = min(deepest, focus.level + 1 if focus else 0)
    asked = session.number_param("level")
    if session.param("level") == "leaf":
        asked = deepest
    level = _telling(hierarchy, focus, below + 1) if asked is None else asked
    return list(range(below, deepest + 1)), min(max(level, below), deepest)


def _telling(hierarchy: Hierarchy, focus: Community | None, level: int) -> int:
    while level < hierarchy.n_levels - 1:
        sizes = [len(one.entity_ids) for one in listed(hierarchy, focus, level)]
        if 2 * max(sizes, default=0) <= sum(sizes):
            break
        level += 1
    return level


def listed(hierarchy: Hierarchy, focus: Community | None, level: int) -> list[Community]:
    """Return the communities of a level's view inside the focus, largest first."""
    inside = {one.id for one in hierarchy.descendants(focus.id)} if focus else None
    found = [one for one in hierarchy.view(level) if inside is None or one.id in inside]
    return sorted(found, key=lambda one: (-len(one.entity_ids), one.id))

"""What the address of the graph view says, and how clicks change it."""

from __future__ import annotations

from pages import _session as session
from sensemaking.figures.network import FEW, MOST, Request, Unit
from sensemaking.types import Hierarchy

ENTITIES = "entities"
MAX_OPENED = 12
ENOUGH = 12
"""Circles from which on a level is worth to be the first view."""
CARD = {"entity": None, "community": None, "find": None}
"""What the card shows, taken away."""


def asked_level(hierarchy: Hierarchy) -> int | None:
    """Return the level of the address, None for entities; else the first with a dozen parts."""
    if session.param("level") == ENTITIES:
        return None
    asked = session.number_param("level")
    if asked is not None:
        return min(asked, hierarchy.n_levels - 1)
    enough = (n for n in range(hierarchy.n_levels) if len(hierarchy.view(n)) >= ENOUGH)
    return next(enough, hierarchy.n_levels - 1)


def asked_opened(hierarchy: Hierarchy) -> tuple[str, ...]:
    """Return the communities opened in place, in the order they were opened."""
    asked = (session.param("open") or "").split(",")
    return tuple(one for one in dict.fromkeys(asked) if one in hierarchy.by_id)[:MAX_OPENED]


def asked_request(hierarchy: Hierarchy) -> Request:
    """Return what the address asks to draw."""
    level = asked_level(hierarchy)
    return Request(
        level,
        asked_opened(hierarchy) if level is not None else (),
        MOST if session.param("all") else FEW,
        session.param("ties") == "all",
    )


def pick_entity(entity_id: str | None) -> None:
    """Show the card of an entity; None shows none."""
    session.set_params(**CARD | {"entity": entity_id})


def pick_community(community_id: str) -> None:
    """Show the card of a community."""
    session.set_params(**CARD | {"community": community_id})


def click(hierarchy: Hierarchy, unit: Unit | None) -> None:
    """Do what a click on a circle means: a community opens, an entity shows its card."""
    if unit is None or unit.what == "entity":
        pick_entity(unit.id if unit else None)
    else:
        open_in_place(hierarchy, [unit.id])


def open_in_place(hierarchy: Hierarchy, community_ids: list[str]) -> None:
    """Show the parts of communities where their circles stood; the last one has the card."""
    opened = tuple(dict.fromkeys([*asked_opened(hierarchy), *community_ids]))[-MAX_OPENED:]
    session.set_params(open=",".join(opened), **CARD | {"community": community_ids[-1]})


def reveal(hierarchy: Hierarchy, entity_id: str, community_ids: list[str]) -> None:
    """Open all that hides an entity, and keep its card."""
    open_in_place(hierarchy, community_ids)
    pick_entity(entity_id)


def close(hierarchy: Hierarchy, community_id: str) -> None:
    """Draw a community as one circle again, with everything that was opened inside it."""
    inner = {community_id, *(one.id for one in hierarchy.descendants(community_id))}
    left = [one for one in asked_opened(hierarchy) if one not in inner]
    session.set_params(open=",".join(left) or None, **CARD | {"community": community_id})


def close_all() -> None:
    """Go back to the level as it is."""
    session.set_params(open=None, **CARD)

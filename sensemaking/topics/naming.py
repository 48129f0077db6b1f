"""From what was found on each level to one list of topics.

Notes
-----
ReTAG takes the union over levels and removes exact duplicates (case-folded, trimmed); its published
lists keep "Health" beside "Health and Medicine", and so do we. Which level's description is kept it
does not say: ours is the coarsest level's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from sensemaking.types import FoundTopics, Topic, digest

MAX_SLUG = 40
MAX_NAME = 120
"""Characters of a topic's name that are kept."""

NO_TOPIC = "none"
"""Name of the corpus as a whole among topics; no topic can have it."""

# Control characters, and those that turn the direction of what stands after them.
_CONTROLS = re.compile("[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")
_PLAIN = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")
_OTHER = re.compile(r"[^a-z0-9]+")


def fold_name(name: str) -> str:
    r"""Return the form in which names are compared: normalised, one line, case-folded.

    >>> fold_name("  Ports\n and  ｓhips ")
    'ports and ships'
    """
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def clean_name(name: str) -> str:
    r"""Return a name as it is kept: one line without control characters; "" where none is left.

    >>> clean_name(" Ports\x00 \n and ships"), clean_name("None")
    ('Ports and ships', '')
    """
    kept = " ".join(_CONTROLS.sub("", name).split())[:MAX_NAME].strip()
    return "" if fold_name(kept) == NO_TOPIC else kept


def make_topic(name: str, description: str = "", level: int | None = None) -> Topic:
    """Return a topic of that name; one without a level was added by a user.

    >>> make_topic("Ports and ships").graph_key
    'topic-ports-and-ships'
    """
    shown = clean_name(name)
    folded = fold_name(shown)
    return Topic(
        id=digest("topic", folded),
        name=shown,
        description=" ".join(description.split()),
        slug=_slug(folded),
        subject=shown,
        level=level,
        origin="added" if level is None else "found",
    )


def unite(levels: Iterable[FoundTopics]) -> tuple[Topic, ...]:
    """Return the topics of all levels, each once, in order of level and place; nameless ones go."""
    found: dict[str, Topic] = {}
    for one in sorted(levels, key=lambda one: one.level):
        for name, description in one.topics:
            topic = make_topic(name, description, one.level)
            if topic.name:
                found.setdefault(topic.id, topic)
    return tuple(found.values())


def _slug(folded: str) -> str:
    """Return a name for keys and addresses; only plain names of equal spelling share one."""
    base = _OTHER.sub("-", unicodedata.normalize("NFKD", folded)).strip("-")[:MAX_SLUG].strip("-")
    if _PLAIN.fullmatch(folded) and len(folded) <= MAX_SLUG:
        return base
    return f"{base}-{digest(folded)[:6]}" if base else digest(folded)[:12]

"""What a user says of communities: names, notes and pins, bound to who is in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CommunityAction = Literal["rename", "note", "pin"]


@dataclass(frozen=True, slots=True)
class CommunityEdit:
    """One edit of a user; `id` is its place in the order.

    `member_key` is the digest of the members: an edit is there again after a rebuild, in any
    hierarchy that has a community of the same members. rename and note: `value` is the text. pin:
    any text. An empty `value` takes back what was said before.
    """

    id: str
    action: CommunityAction
    member_key: str
    value: str


@dataclass(frozen=True, slots=True)
class CommunityMark:
    """All that a user said of the communities with one member key; "" is nothing."""

    name: str = ""
    note: str = ""
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class FoundReport:
    """A report that a search found, and its passage that fits best.

    `finding` counts from 0, -1 is the summary; `score` is that of BM25, above 0.
    """

    community_id: str
    title: str
    level: int
    finding: int
    heading: str
    text: str
    score: float

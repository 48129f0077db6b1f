"""Two answers to one question, sentence by sentence.

Two answers go in; each of their sentences comes out once: kept, with other figures, new or gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sensemaking.evaluation.alignment import align_claims
from sensemaking.types import Answer

ChangeKind = Literal["same", "differs", "new", "gone"]
_KINDS: dict[str, ChangeKind] = {
    "agree": "same",
    "conflict": "differs",
    "first only": "gone",
    "second only": "new",
}


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a sentence: its place before and after, -1 for none.

    `reason` says what differs: figures, dates or a negation.
    """

    kind: ChangeKind
    before: int
    after: int
    reason: str = ""


def compare_sentences(before: Answer, after: Answer) -> tuple[Change, ...]:
    """Return each sentence of both answers once, partners together.

    Sentences are partners as claims are when answers are compared.
    """
    old, new = ([one.text for one in answer.sentences] for answer in (before, after))
    return tuple(
        Change(_KINDS[one.kind], one.first, one.second, one.reason)
        for one in align_claims(old, new)
    )

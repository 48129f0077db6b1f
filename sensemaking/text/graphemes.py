"""Where a text may be cut without tearing a character that a reader sees as one.

In: a text and an offset. Out: whether the offset lies between two grapheme clusters. A cluster is
a base character with its marks, an emoji sequence joined by U+200D, a flag of two regional
indicators, or a Hangul syllable written in jamo.

Notes
-----
This follows the intent of Unicode Annex 29 (extended grapheme clusters) by character category
instead of by the full break table: no table has to be kept in step with Unicode, and a cut that is
refused too often costs nothing here.
"""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_LOOK_BACK = 64


def is_boundary(text: str, offset: int) -> bool:
    """Return whether a text may be cut at an offset."""
    if offset <= 0 or offset >= len(text):
        return True
    after, before = text[offset], text[offset - 1]
    if after < "\u0300" and before < "\u0300":
        return not (before == "\r" and after == "\n")
    if after == _JOINER or before == _JOINER or _extends(after):
        return False
    if _is_regional(after) and _is_regional(before):
        return _regionals_before(text, offset) % 2 == 0
    return not _is_jamo_pair(before, after)


def boundary_before(text: str, offset: int, lowest: int) -> int:
    """Return the last boundary in (lowest, offset], or offset itself when there is none near.

    A cluster of more than 64 characters is not language: it is cut where it must be.
    """
    for candidate in range(offset, max(lowest, offset - _LOOK_BACK), -1):
        if is_boundary(text, candidate):
            return candidate
    return offset


def _extends(character: str) -> bool:
    """Return whether a character belongs to the one before it."""
    if "\U0001f3fb" <= character <= "\U0001f3ff" or "\U000e0020" <= character <= "\U000e007f":
        return True
    return unicodedata.category(character) in ("Mn", "Me", "Mc")


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _regionals_before(text: str, offset: int) -> int:
    """Return how many regional indicators stand right before an offset, looking back 64 at most."""
    count = 0
    while count < _LOOK_BACK and count < offset and _is_regional(text[offset - count - 1]):
        count += 1
    return count


def _is_jamo_pair(before: str, after: str) -> bool:
    """Return whether two characters are jamo (or a syllable and a jamo) of one syllable."""
    if not "\u1160" <= after <= "\u11ff":
        return False
    return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"

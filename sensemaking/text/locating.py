"""Where a quotation stands in a text, although it was not copied to the letter.

In: a quotation, as a model or a person wrote it, and the text it is from. Out: [start, end) in the
text, or None. Tried in this order: to the letter; the same words with other white space, quotation
marks, dashes or letter case; the stretch that shares most words in the same order.

Notes
-----
The last step slides a window of the quotation's length over the words of the text and counts shared
words (linear in the text), then aligns the best window alone. A stretch counts as found when at
least `LEAST_SHARE` of the quotation's words stand in it in order, so that a paraphrase is not taken
for a quotation. A quotation with "…" inside is found by its parts.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher

LEAST_SHARE = 0.75
LEAST_WORDS = 4
"""Shorter quotations must be there word for word."""
MAX_WORDS = 400
"""A longer quotation is looked for by its first and last words so many."""
MAX_GAP = 2000
"""Characters that an ellipsis may stand for."""

_FOLDED = str.maketrans(
    dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_WORD = re.compile(r"\w+(?:'\w+)*")
_ELLIPSIS = re.compile(r"\s*(?:\[(?:\.{3}|…)\]|\.{3,}|…)\s*")


def locate(quote: str, text: str) -> tuple[int, int] | None:
    r"""Return where a quotation stands in a text as [start, end), or None.

    Examples
    --------
    >>> text = 'She said:  “The tide\nturned at Quay 7” and left.'
    >>> start, end = locate('"the tide turned at quay 7"', text)
    >>> text[start:end]
    '“The tide\nturned at Quay 7”'
    """
    quote = quote.strip()
    if not quote:
        return None
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    folded = _fold(text)
    found = _locate_words(quote, folded)
    if found is not None:
        return found
    parts = [part for part in _ELLIPSIS.split(quote) if part]
    if len(parts) > 1:
        return _locate_parts(parts, folded)
    return _locate_like(quote, folded)


def _fold(text: str) -> str:
    """Return a text of the same length in small letters with plain quotation marks and dashes."""
    small = text.lower()
    if len(small) != len(text):
        small = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    return small.translate(_FOLDED)


def _locate_words(quote: str, folded: str, start: int = 0) -> tuple[int, int] | None:
    """Return where the words of a quotation stand with any white space between them."""
    wanted = _fold(quote).split()
    for pieces in (wanted, " ".join(wanted).strip("\"' .,;:-").split()):
        if pieces:
            pattern = re.compile(r"\s+".join(map(re.escape, pieces)))
            match = pattern.search(folded, start)
            if match is not None:
                return match.span()
    return None


def _locate_parts(parts: list[str], folded: str) -> tuple[int, int] | None:
    """Return the stretch from the first to the last part of a quotation with gaps."""
    begin = position = -1
    for part in parts:
        found = _locate_words(part, folded, max(position, 0))
        if found is None or (position >= 0 and found[0] - position > MAX_GAP):
            return None
        begin = found[0] if begin < 0 else begin
        position = found[1]
    return begin, position


def _locate_like(quote: str, folded: str) -> tuple[int, int] | None:
    """Return the stretch that shares most words with a quotation in the same order."""
    wanted = _WORD.findall(_fold(quote))
    if len(wanted) < LEAST_WORDS:
        return None
    if len(wanted) > MAX_WORDS:
        return _locate_ends(quote, folded)
    words = list(_WORD.finditer(folded))
    first = _best_window([match[0] for match in words], wanted)
    if first is None:
        return None
    margin = len(wanted) // 4 + 2
    window = words[max(0, first - margin) : first + len(wanted) + margin]
    matcher = SequenceMatcher(None, wanted, [match[0] for match in window], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if sum(block.size for block in blocks) < LEAST_SHARE * len(wanted):
        return None
    return window[blocks[0].b].start(), window[blocks[-1].b + blocks[-1].size - 1].end()


def _locate_ends(quote: str, folded: str) -> tuple[int, int] | None:
    """Return the stretch between the first and the last words of a very long quotation."""
    pieces = quote.split()
    head = _locate_like(" ".join(pieces[: MAX_WORDS // 2]), folded)
    tail = _locate_like(" ".join(pieces[-MAX_WORDS // 2 :]), folded)
    if head is None or tail is None or not head[0] < tail[1] <= head[0] + 2 * len(quote):
        return None
    return head[0], tail[1]


def _best_window(words: list[str], wanted: list[str]) -> int | None:
    """Return where the window of the quotation's length that shares most words begins."""
    need = Counter(wanted)
    have: Counter[str] = Counter()
    shared = best = 0
    best_start: int | None = None
    size = len(wanted)
    for at, word in enumerate(words):
        if word in need:
            have[word] += 1
            shared += have[word] <= need[word]
        if at >= size and (left := words[at - size]) in need:
            shared -= have[left] <= need[left]
            have[left] -= 1
        if shared > best:
            best, best_start = shared, max(0, at - size + 1)
    return best_start if best >= LEAST_SHARE * size else None

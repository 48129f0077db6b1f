"""The text of an answer as it streams in, its citations checked sentence by sentence.

Pieces of a model's Markdown come in; out go whole sentences in the dialect of `ports.Reducer`:
known numbers in square brackets at the end of what they support, unknown ones dropped. A sentence
that cites nothing but whose words stand in one point gets that point's number; one whose words
stand in other points than it cites gets theirs, and loses those that hold little of it. Lines that
would pass for notes of the software become plain text. A sentence that was there before, or that
was copied from the example of the prompt, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sensemaking.backends.llm.citing import Sources, labels_in
from sensemaking.backends.llm.examples import stands_in_example

MAX_PENDING = 4_000
"""Characters without an end of sentence that are held back."""
LEAST_HELD = 0.25
"""Share of a sentence's words that a point holds, to stay beside one that holds the others."""
LEAST_REPEATED = 4
"""Words of a sentence that is not said twice."""

_MARKER = re.compile(r"\s*(?:\[(?P<square>[^\[\]\n]{1,80})\]|【(?P<lens>[^【】\n]{1,80})】)")
_END = re.compile(
    r"(?:[.!?…]['\"”’)*_]*(?:[^\S\n]*(?:\[[^\[\]\n]{1,80}\]|【[^【】\n]{1,80}】))*\.?"
    r"(?=[^\S\n]+[^\s\[【])"
    r"|[。！？](?:[^\S\n]*(?:\[[^\[\]\n]{1,80}\]|【[^【】\n]{1,80}】))*(?=[^\s\[【])"
    r"|\n)"
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|[-*_=]{3,}\s*$|```)")
_QUOTE = re.compile(r"^(\s*)>[>\s]*")
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"<think(?:ing)?>", re.IGNORECASE)


class Sourcing:
    """Checks the citations of a text that comes in pieces; `texts` are what may be cited."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.n_cited = self.n_unknown = self.n_found = self.n_mended = self.n_idle = 0
        self._said: set[str] = set()
        self._n = len(texts)
        self._sources = Sources(texts)
        self._pending = ""
        self._is_line_start = True

    def feed(self, piece: str) -> Iterator[str]:
        """Take a piece in and yield what is complete."""
        self._pending = _THOUGHT.sub("", self._pending + piece)
        if _OPEN_THOUGHT.search(self._pending):
            return
        while True:
            end = _END.search(self._pending)
            if end is not None:
                at = end.end()
            elif len(self._pending) > MAX_PENDING:
                at = len(self._pending)
            else:
                return
            # White space after a sentence goes out with it, so that markers stay before it.
            checked, self._pending = self._checked(self._pending[:at]), self._pending[at:]
            if checked:
                yield checked

    def end(self) -> Iterator[str]:
        """Yield the rest."""
        rest = _OPEN_THOUGHT.split(self._pending)[0]
        self._pending = ""
        if rest.strip():
            yield self._checked(rest)

    def _checked(self, text: str) -> str:
        body = text.rstrip("\n")
        ending = text[len(body) :]
        is_heading = self._is_line_start and _HEADING.match(body) is not None
        is_line_start, self._is_line_start = self._is_line_start, bool(ending)
        if is_heading:
            return _MARKER.sub(self._without, body) + ending
        numbers: list[int] = []

        def take(match: re.Match[str]) -> str:
            labels = _numbers(_inside(match))
            if labels is None:
                return match[0]
            known = [one for one in labels if 1 <= one <= self._n]
            self.n_unknown += len(labels) - len(known)
            numbers.extend(known)
            return f" [{', '.join(map(str, known))}]" if known else ""

        checked = _MARKER.sub(take, body)
        if is_line_start:
            checked = _QUOTE.sub(r"\1", checked)
        if self._is_idle(checked):
            self.n_idle += 1
            return ending
        if not numbers:
            held = self._sources.find(checked)
            if held is not None:
                self.n_found += 1
                numbers.append(held + 1)
                checked = f"{checked.rstrip()} [{held + 1}]"
        else:
            checked = self._mended(checked, numbers)
        self.n_cited += len(numbers)
        return checked + ending

    def _mended(self, text: str, numbers: list[int]) -> str:
        """Return a sentence with the points that hold its words, where others were cited."""
        statement = _MARKER.sub("", text)
        cited = [one - 1 for one in dict.fromkeys(numbers)]
        added = self._sources.complete(statement, cited)
        if not added:
            return text
        self.n_mended += 1
        idle = {one + 1 for one in cited if self._sources.share(statement, one) < LEAST_HELD}
        markers = [one for one in _MARKER.finditer(text) if _numbers(_inside(one)) is not None]

        def renew(match: re.Match[str]) -> str:
            labels = _numbers(_inside(match))
            if labels is None:
                return match[0]
            kept = [one for one in labels if one not in idle]
            if match.start() == markers[-1].start():
                kept += [one + 1 for one in added]
            return f" [{', '.join(map(str, dict.fromkeys(kept)))}]" if kept else ""

        return _MARKER.sub(renew, text)

    def _is_idle(self, text: str) -> bool:
        """Return whether a sentence says nothing: models that loop say the same again and again."""
        words = " ".join(_MARKER.sub("", text).casefold().split()).lstrip("-*• ").rstrip(".")
        is_repeated = len(words.split()) >= LEAST_REPEATED and words in self._said
        self._said.add(words)
        return is_repeated or (
            len(words.split()) >= LEAST_REPEATED and stands_in_example(words, "reduce")
        )

    def _without(self, match: re.Match[str]) -> str:
        return match[0] if _numbers(_inside(match)) is None else ""


def _inside(match: re.Match[str]) -> str:
    return match["square"] or match["lens"]


def _numbers(inside: str) -> list[int] | None:
    """Return the numbers in a bracket, ranges filled in; None when it holds other things."""
    spread = re.sub(r"(\d+)\s*[–-]\s*(\d+)", _fill, inside.replace("^", ""))
    labels = labels_in(spread.strip())
    if not labels or not all(one.isdecimal() for one in labels):
        return None
    return list(dict.fromkeys(int(one) for one in labels))


def _fill(match: re.Match[str]) -> str:
    first, last = int(match[1]), int(match[2])
    return ", ".join(map(str, range(first, last + 1))) if 0 <= last - first < 50 else match[0]

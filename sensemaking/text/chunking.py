"""Documents to chunks: exact slices of bounded token count that overlap a little.

A chunk ends at the last paragraph end in its final tenth, else at the last sentence end, else
between words, else between characters, and (but for a document's last) never below 75 % of its
size, so that whole sentences cost no extra model calls. The next one begins at a sentence start at
most `overlap` tokens before that end, or between words where the last sentence is longer.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate

from sensemaking.config import ChunkingSettings
from sensemaking.ports import Tokenizer
from sensemaking.text.graphemes import boundary_before
from sensemaking.text.sentences import split_sentences
from sensemaking.types import Chunk, Document, digest

RULES_VERSION = 1
LEAST = 0.75
PARAGRAPH_FROM = 0.95
_WORD_REACH = 200


def chunking_key(settings: ChunkingSettings) -> str:
    """Return the name of a chunking: encoding, size, overlap and version of the rules."""
    return f"{settings.encoding}-{settings.size}-{settings.overlap}-v{RULES_VERSION}"


def chunk_document(
    document: Document, settings: ChunkingSettings, tokenizer: Tokenizer
) -> tuple[Chunk, ...]:
    """Return the chunks of a document in order; () when it has no text.

    Every character lies in some chunk and no chunk has more than `settings.size` tokens.
    """
    key = chunking_key(settings)
    cutter = _Cutter.prepare(document.text, settings, tokenizer)
    chunks: list[Chunk] = []
    start = own_start = 0
    while own_start < len(document.text):
        end = cutter.end_of(start)
        chunks.append(
            Chunk(
                id=digest(document.id, key, start, end),
                document_id=document.id,
                ordinal=len(chunks),
                start=start,
                end=end,
                own_start=own_start,
                n_tokens=tokenizer.count(document.text[start:end]),
            )
        )
        own_start = end
        start = cutter.start_before(end, start)
    return tuple(chunks)


@dataclass(frozen=True)
class _Cutter:
    """Where one text may be cut. `starts` are sentence starts and the end of the text.

    `tokens[i]` is about the number of tokens before `starts[i]`: counts of pieces, summed. It only
    guides the search; what is returned was counted on the slice itself.
    """

    text: str
    size: int
    overlap: int
    tokenizer: Tokenizer
    starts: list[int]
    tokens: list[int]

    @classmethod
    def prepare(cls, text: str, settings: ChunkingSettings, tokenizer: Tokenizer) -> _Cutter:
        starts = [0, *(start for start, _ in split_sentences(text) if start > 0), len(text)]
        counts = (
            tokenizer.count(text[start:end]) for start, end in zip(starts, starts[1:], strict=False)
        )
        tokens = [0, *accumulate(counts)]
        return cls(text, settings.size, settings.overlap, tokenizer, starts, tokens)

    def end_of(self, start: int) -> int:
        """Return where a chunk that begins at `start` ends."""
        before = self._about(start)
        if (
            before + self.size >= self.tokens[-1]
            and self._count(start, len(self.text)) <= self.size
        ):
            return len(self.text)
        first = bisect_right(self.starts, start)
        last = bisect_right(self.tokens, before + self.size) - 1
        fitting = [end for end in self.starts[first : last + 1] if self._is_full(start, end)]
        paragraphs = [end for end in fitting[-12:] if self._ends_paragraph(end)]
        if paragraphs and self._count(start, paragraphs[-1]) >= PARAGRAPH_FROM * self.size:
            return paragraphs[-1]
        return fitting[-1] if fitting else self._end_between_words(start)

    def start_before(self, end: int, start: int) -> int:
        """Return where the next chunk begins after one that reaches from `start` to `end`."""
        if not self.overlap:
            return end
        lowest = bisect_left(self.tokens, self._about(end) - self.overlap)
        for candidate in self.starts[lowest : bisect_left(self.starts, end)]:
            if candidate > start and self._count(candidate, end) <= self.overlap:
                return candidate
        return self._start_between_words(end, start)

    def _count(self, start: int, end: int) -> int:
        return self.tokenizer.count(self.text[start:end])

    def _about(self, offset: int) -> int:
        """Return about how many tokens lie before an offset."""
        unit = bisect_right(self.starts, offset) - 1
        return self.tokens[unit] + self._count(self.starts[unit], offset)

    def _is_full(self, start: int, end: int) -> bool:
        # Units far below the limit need no exact count: the sums are off by a token a unit at most.
        about = self._about(end) - self._about(start)
        if about < LEAST * self.size * 0.9:
            return False
        return LEAST * self.size <= self._count(start, end) <= self.size

    def _ends_paragraph(self, offset: int) -> bool:
        gap = self.text[max(0, offset - 8) : offset]
        return "\n" in gap[len(gap.rstrip()) :]

    def _end_between_words(self, start: int) -> int:
        low, high = start + 1, min(len(self.text), start + 64 * self.size)
        while low < high:
            middle = (low + high + 1) // 2
            if self._count(start, middle) <= self.size:
                low = middle
            else:
                high = middle - 1
        for end in self._spaces_back(low, start):
            if LEAST * self.size <= self._count(start, end) <= self.size:
                return end
        whole = boundary_before(self.text, low, start)
        return whole if LEAST * self.size <= self._count(start, whole) <= self.size else low

    def _start_between_words(self, end: int, start: int) -> int:
        low, high = start + 1, end
        while low < high:
            middle = (low + high) // 2
            if self._count(middle, end) <= self.overlap:
                high = middle
            else:
                low = middle + 1
        for offset in range(low, min(end, low + _WORD_REACH)):
            if self.text[offset - 1].isspace() and not self.text[offset].isspace():
                return offset
        whole = boundary_before(self.text, low, start)
        return whole if whole > start and self._count(whole, end) <= self.overlap else low

    def _spaces_back(self, end: int, start: int) -> list[int]:
        lowest = max(start, end - _WORD_REACH)
        return [offset for offset in range(end, lowest, -1) if self.text[offset - 1].isspace()]

"""Raw text to the one form that all offsets count in. Done once per document, never again."""

from __future__ import annotations

import re
import unicodedata

_LINE_ENDS = re.compile(r"\r\n?|[\u2028\u0085\x0b]")
_PARAGRAPH_ENDS = re.compile(r"\u2029|\f")
_SPACES = re.compile(r"[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_DROPPED = re.compile(
    # Controls, soft hyphens, byte order marks, zero-width spaces, bidirectional marks, surrogates.
    # U+200C and U+200D stay: they spell words in some scripts and join emoji.
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    r"\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_LOST_HYPHEN = re.compile(r"(?<=\w)(?:\x02|\ufffe)(?=\w)")
"""How text copied from a PDF keeps the hyphen of a line end."""
_TRAILING = re.compile(r"(?<! ) +$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{4,}")


def normalise(text: str) -> str:
    r"""Return the text composed (NFC), with plain line ends and spaces, without invisible marks.

    Paragraph breaks stay; the result has no white space at its ends. Idempotent.

    Examples
    --------
    >>> normalise("\ufeffCaf\u0065\u0301\u00a0No.\u00ad 5\r\n")
    'Café No. 5'
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _PARAGRAPH_ENDS.sub("\n\n", text)
    text = _LOST_HYPHEN.sub("-", _SPACES.sub(" ", text))
    text = unicodedata.normalize("NFC", _DROPPED.sub("", text))
    text = _TRAILING.sub("", text)
    return _BLANK_LINES.sub("\n\n\n", text).strip()

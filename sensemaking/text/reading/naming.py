r"""Names of files as they can be stored, printed and read aloud.

A file system and an archive may give names that are no text: bytes in another encoding (Python
keeps them as half surrogates), line ends, terminal commands, marks that turn the direction of
writing and so hide an ending. Such characters are written out: "a\xff.txt".
"""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"
    r"\ud800-\udfff]"
)
_BROKEN = re.compile(r"[\ud800-\udfff]")
_ESCAPED_BYTE = 0xDC00
"""Byte b that is no text is kept by Python as the half surrogate 0xDC00 + b."""


def safe_name(name: str) -> str:
    r"""Return a name with everything that is not to be printed written out. Idempotent.

    Examples
    --------
    >>> safe_name("caf\udce9\n.txt")
    'caf\\xe9\\x0a.txt'
    """
    return _UNSAFE.sub(_written_out, name)


def whole_characters(text: str) -> str:
    r"""Return a text with halves of characters written out: it can be stored as UTF-8.

    Examples
    --------
    >>> whole_characters("Why\udcff?")
    'Why\\xff?'
    """
    return _BROKEN.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    byte = code - _ESCAPED_BYTE if 0x80 <= code - _ESCAPED_BYTE <= 0xFF else code
    return f"\\x{byte:02x}" if byte <= 0xFF else f"\\u{byte:04x}"

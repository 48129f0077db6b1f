"""Bytes to characters."""

from __future__ import annotations

import codecs
import re

from sensemaking.text.reading.content import Unreadable

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_JAPANESE_ESCAPE = re.compile(rb"\x1b\$[@B]")
_USUAL = "\0\t\n\r\f\x0b\x1b"
MOST_ZEROS = 0.1
"""A text with a larger share of zero bytes has two bytes a character."""
WHOLE_TO_BROKEN = 4
"""So many whole characters beyond ASCII for one broken: then the encoding is UTF-8."""
MOST_BEYOND = 0.07
"""Of the letters of a western text so many are beyond ASCII at most, but for a `FEW`."""
FEW = 6
SAMPLE = 200_000
_BETWEEN = "\u2019\u2013\u2014\u00b7\u00ad\u00a0"
"""What stands between two letters: apostrophe, dashes, middle dot, soft hyphen, fixed space."""
_NOISE = "It is not text: it looks like binary data. Convert it to text, or leave it out."


def decode(data: bytes) -> str:
    """Return the characters of a text file, whatever its encoding.

    Raises
    ------
    Unreadable
        When the bytes are not text in any encoding that can be told.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            # A file cut in the middle of a character is a text all the same.
            decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
            return _sound(decoder.decode(data))
    if data[:4096].count(0) > MOST_ZEROS * len(data[:4096]):
        return _without_mark(data)
    if _JAPANESE_ESCAPE.search(data[:20_000]):
        return _sound(data.decode("iso2022_jp", errors="replace"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = _nearly_utf8(data) or _western(data) or _guess(data)
    return _sound(text)


def _sound(text: str) -> str:
    if _is_noise(text):
        raise Unreadable(_NOISE)
    return text


def _nearly_utf8(data: bytes) -> str:
    """Return UTF-8 text in which a few bytes are broken, "" when it is another encoding."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    whole = sum(one > "\x7f" for one in text) - broken
    return text if whole >= WHOLE_TO_BROKEN * broken else ""


def _western(data: bytes) -> str:
    """Return text of western Europe as Windows writes it, "" when it is another encoding.

    A short text tells a statistical detector little; but in these languages few letters are beyond
    ASCII, and those stand within words or beside them.
    """
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return ""
    sample = f" {text[:SAMPLE]} "
    letters = sum(map(str.isalpha, sample))
    beyond = [n for n, one in enumerate(sample) if one > "\x7f"]
    marked = sum(sample[n].isalpha() for n in beyond)
    is_western = marked <= max(FEW, MOST_BEYOND * letters) and all(
        _fits(sample[n - 1], sample[n], sample[n + 1]) for n in beyond
    )
    return text if is_western else ""


def _fits(before: str, one: str, after: str) -> bool:
    """Return whether a character beyond ASCII stands where western languages have it."""
    if one.isalpha():
        return not (one.isupper() and before.islower())
    return one in _BETWEEN or not (before.isalpha() and after.isalpha())


def _without_mark(data: bytes) -> str:
    """Return UTF-16 text that has no byte order mark: every other byte of Latin text is zero."""
    head = data[:4096]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if zeros.count(0) > 0.6 * len(zeros):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                continue
            if not _is_noise(text):
                return text
    raise Unreadable(_NOISE)


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:SAMPLE]).best()
    if best is None:
        raise Unreadable(_NOISE)
    encoding = "cp1252" if best.encoding in ("latin_1", "iso8859_1", "ascii") else best.encoding
    return data.decode(encoding, errors="replace")


def _is_noise(text: str) -> bool:
    sample = text[:20_000]
    # Stray zeros are dropped later; where they are many, the text was taken for two-byte.
    odd = sum(one < " " and one not in _USUAL or one == "\ufffd" for one in sample)
    return odd > 0.02 * len(sample)

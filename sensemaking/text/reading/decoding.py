"""Bytes to characters."""

from __future__ import annotations

import codecs

from sensemaking.text.reading.content import Unreadable

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
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
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise Unreadable(_NOISE) from error
    if b"\x00" in data[:4096]:
        return _without_mark(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = _guess(data)
    if _is_noise(text):
        raise Unreadable(_NOISE)
    return text


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

    best = from_bytes(data[:200_000]).best()
    if best is None:
        raise Unreadable(_NOISE)
    encoding = "cp1252" if best.encoding in ("latin_1", "iso8859_1", "ascii") else best.encoding
    return data.decode(encoding, errors="replace")


def _is_noise(text: str) -> bool:
    sample = text[:20_000]
    odd = sum(one < " " and one not in "\t\n\r\f\x0b\x1b" or one == "\ufffd" for one in sample)
    return odd > 0.02 * len(sample)

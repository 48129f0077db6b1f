"""What kind of file some bytes are: by content first, by name where content allows several."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import PurePosixPath

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
OTHER_KINDS = {
    "application/zip": "An archive that cannot be unpacked (damaged, locked or far too large)",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "A presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "A spreadsheet",
    "application/epub+zip": "An e-book",
    "application/vnd.oasis.opendocument": "An OpenDocument file",
    "application/msword": "An old Office file (or one locked with a password)",
    "application/rtf": "A rich text file",
    "image": "An image",
    "audio": "A sound or video file",
}
_MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword"),
    (b"{\\rtf", "application/rtf"),
    (b"\x89PNG", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
    (b"ID3", "audio"),
    (b"OggS", "audio"),
    (b"RIFF", "audio"),
)
_BY_SUFFIX = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".csv": "text/csv",
    ".tsv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".ndjson": "application/jsonl",
}
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)


def sniff(name: str, data: bytes) -> str:
    """Return the media type of a file."""
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    for magic, media_type in _MAGIC:
        if head.startswith(magic):
            return media_type
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _sniff_zip(data)
    if _HTML.match(data[:4096].lstrip(b"\xef\xbb\xbf")):
        return "text/html"
    suffix = PurePosixPath(name).suffix.lower()
    named = _BY_SUFFIX.get(suffix, "text/plain")
    if named in ("application/json", "application/jsonl") or (
        named == "text/plain" and head[:1] in (b"{", b"[")
    ):
        return _sniff_json(data, named)
    return named


def _sniff_zip(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return "application/zip"
    for prefix, media_type in (
        ("word/", DOCX),
        ("ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        ("xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("META-INF/container.xml", "application/epub+zip"),
        ("content.xml", "application/vnd.oasis.opendocument"),
    ):
        if any(name.startswith(prefix) for name in names):
            return media_type
    return "application/zip"


def _sniff_json(data: bytes, named: str) -> str:
    """Return whether a text is one JSON value, one per line, or only looks like it."""
    if named == "application/jsonl":
        return named
    lines = [line for line in data.splitlines() if line.strip()][:5]
    if len(lines) > 1 and all(_is_object(line) for line in lines):
        return "application/jsonl"
    if named == "application/json":
        return named
    return "application/json" if _is_json(data) else "text/plain"


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_json(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data), dict | list)
    except (ValueError, RecursionError):
        return False

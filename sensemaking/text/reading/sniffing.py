"""What kind of file some bytes are: by content first, by name where content allows several."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import PurePosixPath

from sensemaking.text.reading.containers import ZIP_ERRORS, is_zip

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OTHER_KINDS = {
    "application/zip": "The archive or office document is damaged: save it anew, or unpack it "
    "and add the files.",
    "archive": "This kind of archive is not unpacked: unpack it and add the files, or a zip of "
    "them.",
    PPTX: "A presentation is not read by this version: save it as PDF.",
    XLSX: "A spreadsheet is not read by this version: save each sheet as CSV.",
    "application/epub+zip": "An e-book is not read by this version: save it as HTML, PDF or text.",
    "application/vnd.oasis.opendocument": "An OpenDocument file is not read by this version: save "
    "it as DOCX, PDF or text.",
    "application/msword": "An old Office file, or one locked with a password, is not read by this "
    "version: save it as DOCX or PDF, without a password.",
    "application/rtf": "A rich text file is not read by this version: save it as DOCX or PDF.",
    "image": "An image is not read by this version: run OCR on it and add the text.",
    "audio": "A sound or video file is not read: add a transcript.",
    "program": "It is a program or a library, not a document: leave it out.",
}
"""Why files of other kinds are not read, and what to do instead."""
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
    (b"\x1aE\xdf\xa3", "audio"),
    (b"\x1f\x8b", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ\x00", "archive"),
    (b"7z\xbc\xaf\x27\x1c", "archive"),
    (b"Rar!\x1a", "archive"),
    (b"\x28\xb5\x2f\xfd", "archive"),
    (b"\x7fELF", "program"),
    (b"MZ\x90\x00", "program"),
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
    if data[4:8] == b"ftyp":
        return "audio"
    if data[257:262] == b"ustar":
        return "archive"
    if is_zip(data):
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
    except ZIP_ERRORS:
        return "application/zip"
    for prefix, media_type in (
        ("word/", DOCX),
        ("ppt/", PPTX),
        ("xl/", XLSX),
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

"""Files to documents, and to reasons where that is not possible."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from pypdf import PdfWriter

from sensemaking.text.reading import expand, read_file, walk
from sensemaking.text.reading.pdf import _join_hyphens

PROSE = "The tide turned at Quay 7. The ships in the harbour were waiting for it. " * 3


def read(name: str, data: bytes | str) -> tuple[str, str, list[str]]:
    raw = data.encode() if isinstance(data, str) else data
    row, documents = read_file(name, raw)
    return row.status, row.reason, [document.text for document in documents]


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def pdf(pages: list[str]) -> bytes:
    """Write a small PDF by hand: one line of text a page, none for ""."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{3 + 2 * n} 0 R" for n in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    font = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    for n, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {font} "
            f"/Contents {4 + 2 * n} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    return (
        out
        + f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF".encode()
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_text_is_read_in_any_usual_encoding(encoding: str) -> None:
    text = PROSE + "Søren Kjær said “no”."
    assert read("a.txt", text.encode(encoding)) == ("read", "", [text])


def test_an_empty_file_and_one_of_spaces_are_empty() -> None:
    assert read("a.txt", b"")[0] == "empty"
    assert read("a.txt", b" \n\t \n")[0] == "empty"


def test_noise_is_not_text() -> None:
    status, reason, texts = read("a.txt", bytes(range(256)) * 40)
    assert (status, texts) == ("failed", [])
    assert "binary" in reason


def test_content_decides_against_the_name() -> None:
    row, _ = read_file("page.txt", b"<!DOCTYPE html><html><body><p>Tide</p></body></html>")
    assert row.media_type == "text/html"
    row, _ = read_file("report.doc", pdf([PROSE[:60]]))
    assert row.media_type == "application/pdf"


def test_a_web_page_is_its_text() -> None:
    page = (
        f"<html><head><title>Tides | The Lamp</title><script>x()</script></head><body>"
        f"<nav>Home Docks Support</nav><article><h1>Tides</h1><p>{PROSE}</p></article></body>"
    )
    row, (document,) = read_file("page.html", page.encode())
    assert row.status == "read"
    assert "The tide turned at Quay 7." in document.text
    assert "x()" not in document.text
    assert document.title == "Tides"


def test_pages_of_a_pdf_are_sections_and_offsets_fit() -> None:
    row, (document,) = read_file("r.pdf", pdf(["The tide turned today.", "The ship waits here."]))
    assert row.status == "read"
    pages = [document.text[s.start : s.end] for s in document.sections if s.kind == "page"]
    assert pages == ["The tide turned today.", "The ship waits here."]


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("The ground below Quay 7", "The ground below Quay 7"),
        ("Microsoft Word - quay_7_final.docx", "Quay report"),
    ],
)
def test_a_pdf_is_called_what_it_calls_itself_unless_a_program_did(given: str, title: str) -> None:
    writer = PdfWriter(clone_from=io.BytesIO(pdf(["The tide turned today."])))
    writer.add_metadata({"/Title": given})
    buffer = io.BytesIO()
    writer.write(buffer)
    _, (document,) = read_file("quay-report.pdf", buffer.getvalue())
    assert document.title == title


def test_words_cut_at_line_ends_are_made_whole() -> None:
    known = frozenset(("long-term", "harbour"))
    page = "har-\nbour long-\r\nterm inter\ufffenational Anglo-\nSaxon 2019-\n2020"
    assert _join_hyphens(page, known) == "harbour long-term international Anglo-Saxon 2019-\n2020"


def test_a_pdf_of_forty_pages_without_text_says_so() -> None:
    status, reason, _ = read("scan.pdf", pdf([""] * 40))
    assert status == "empty"
    assert "40 pages" in reason
    assert "OCR" in reason


def test_a_damaged_pdf_fails_with_a_reason() -> None:
    status, reason, _ = read("r.pdf", b"%PDF-1.7 nothing more")
    assert (status, "damaged" in reason) == ("failed", True)


def test_a_table_reads_as_lines() -> None:
    assert read("t.csv", "hole,depth_m,remark\nBH-1,3.4,blue silt\nBH-2,2.0,\n")[2] == [
        "hole: BH-1; depth m: 3.4; remark: blue silt\n\nhole: BH-2; depth m: 2.0"
    ]


def test_json_lines_are_a_document_each() -> None:
    lines = "\n".join(
        json.dumps({"id": f"n{n}", "text": f"Item {n}.", "year": 2024}) for n in (1, 2)
    )
    _, documents = read_file("a.jsonl", lines.encode())
    assert [document.name for document in documents] == ["a.jsonl#n1", "a.jsonl#n2"]
    assert dict(documents[0].metadata)["year"] == "2024"


def test_records_with_one_id_are_documents_of_their_own() -> None:
    lines = "\n".join(json.dumps({"id": "t", "text": f"Item {n}."}) for n in (1, 2))
    _, documents = read_file("a.jsonl", lines.encode())
    assert [document.text for document in documents] == ["Item 1.", "Item 2."]
    assert len({document.id for document in documents}) == 2


def test_broken_json_says_where() -> None:
    status, reason, _ = read("a.json", '{"text": "x",')
    assert (status, "line 1" in reason) == ("failed", True)


def test_json_without_a_text_is_readable_lines() -> None:
    assert read("a.json", '{"quay": {"number": 7, "depth": [3.1, 3.9]}}')[2] == [
        "quay number: 7\nquay depth: 3.1\nquay depth: 3.9"
    ]


def test_front_matter_is_metadata() -> None:
    _, (document,) = read_file("a.md", b"---\ntitle: Tides\nauthor: Ada\n---\n\nThe tide turned.\n")
    assert (document.title, document.text) == ("Tides", "The tide turned.")
    assert dict(document.metadata)["author"] == "Ada"


def test_an_archive_is_its_files_and_cannot_lead_out() -> None:
    inner = zipped({"deep.txt": b"deep"})
    data = zipped({"b.txt": b"b", "../../a.txt": b"a", "__MACOSX/x": b"", "in.zip": inner})
    assert sorted((one.name, one.data) for one in expand("z.zip", data)) == [
        ("z.zip/a.txt", b"a"),
        ("z.zip/b.txt", b"b"),
        ("z.zip/in.zip/deep.txt", b"deep"),
    ]


def test_a_bomb_stays_packed_and_fails() -> None:
    (found,) = expand("bomb.zip", zipped({"zeros": b"\0" * 30_000_000}))
    assert (found.name, found.data) == ("bomb.zip", b"")
    assert "trap" in found.reason


def test_a_folder_is_walked_in_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b.txt", "a/c.txt", ".hidden", "~$lock.docx"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    assert [name for name, _, _ in walk(tmp_path)] == ["a/c.txt", "b.txt"]


def test_other_kinds_say_what_to_do() -> None:
    status, reason, _ = read("a.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 50)
    assert (status, "image" in reason) == ("failed", True)


@pytest.mark.shared_data
def test_awkward_files_never_crash_and_mostly_read(shared_data: Path) -> None:
    read_well = total = 0
    for path in sorted((shared_data / "data" / "messy").iterdir()):
        # A Word file of 872 pages takes ten CPU seconds: it is left to the benchmarks.
        if path.is_file() and path.name not in ("MANIFEST.csv", "docx-872-pages.docx"):
            for found in expand(path.name, path.read_bytes()):
                row, documents = read_file(found.name, found.data)
                assert row.reason if row.status != "read" else documents
                total += 1
                read_well += row.status == "read"
    assert read_well > total / 2

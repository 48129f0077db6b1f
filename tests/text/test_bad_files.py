"""Bad input to reading: each is read, or is a row with a reason, and takes nothing else along."""

from __future__ import annotations

import io
import json
import os
import socket
import time
import zipfile
from pathlib import Path

import pytest

from sensemaking.text.normalising import normalise
from sensemaking.text.reading import Found, expand, read_file, safe_name, walk, whole_characters
from sensemaking.text.reading.containers import MAX_FILE_BYTES, MAX_FILES

PROSE = "The tide turned at Quay 7. "
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="r1" Type="{OFFICE}" Target="word/document.xml"/></Relationships>'
)
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
PARAGRAPH = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"


def zipped(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def docx(body: str, head: str = "", **more: bytes) -> bytes:
    document = f'{head}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": TYPES, "_rels/.rels": RELATIONS, "word/document.xml": document,
    }  # fmt: skip
    return zipped({**parts, **{f"word/media/{name}.bin": data for name, data in more.items()}})


def read(name: str, data: bytes | str) -> tuple[str, str, list[str]]:
    row, documents = read_file(name, data.encode() if isinstance(data, str) else data)
    return row.status, row.reason, [document.text for document in documents]


def test_a_word_document_that_is_a_trap_is_not_unpacked() -> None:
    assert read("ok.docx", docx(PARAGRAPH.format(PROSE)))[0] == "read"
    claimed = bytearray(docx(PARAGRAPH.format("x")))
    last = claimed.rindex(b"PK\x01\x02")  # what the archive says of word/document.xml
    claimed[last + 24 : last + 28] = (80_000_000).to_bytes(4, "little")
    for trap in (bytes(claimed), docx(PARAGRAPH.format("x"), big=bytes(12_000_000))):
        status, reason, _ = read("trap.docx", trap)
        assert (status, " MB" in reason) == ("failed", True)


@pytest.mark.parametrize("kind", ["entities", "depth", "no XML", "cut"])
def test_a_damaged_word_document_fails_with_a_reason(kind: str) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    data = {
        "entities": docx(
            PARAGRAPH.format("&e8;"), f'<!DOCTYPE d [<!ENTITY e0 "xxxxxxxxxx">{entities}]>'
        ),
        "depth": docx("<w:tbl><w:tr><w:tc>" * 2000 + "</w:tc></w:tr></w:tbl>" * 2000),
        "no XML": zipped({"[Content_Types].xml": TYPES, "word/document.xml": "not XML"}),
        "cut": docx(PARAGRAPH.format(PROSE))[:-60],
    }[kind]
    status, reason, _ = read("d.docx", data)
    assert (status, "damaged" in reason) == ("failed", True)


def test_a_bad_line_of_json_lines_costs_that_line_alone() -> None:
    lines = ['{"text": "One."}', "{bad", '{"text": "Two."}', "", "[1, 2"]
    status, reason, texts = read("a.jsonl", "\n".join(lines))
    assert (status, texts) == ("read", ["One.", "Two."])
    assert "line 2" in reason
    assert "line 5" in reason
    assert read("a.jsonl", "{bad\n{worse")[0] == "failed"


def test_line_ends_within_a_json_text_end_no_line() -> None:
    assert read("a.jsonl", '{"text": "a\u2028b"}')[2] == ["a\nb"]


@pytest.mark.parametrize("depth", [400, 990, 5_000, 100_000])
def test_json_of_any_depth_is_read_or_says_so(depth: int) -> None:
    status, reason, _ = read("a.json", "[" * depth + '"x"' + "]" * depth)
    assert status == "read" or "too deeply" in reason
    assert read("b.json", '{"a":' * 300 + '"x"' + "}" * 300)[0] == "read"


def test_numbers_that_no_computer_holds_are_kept_as_written() -> None:
    _, _, (text,) = read("a.json", f'{{"a": NaN, "b": -Infinity, "c": {"9" * 5000}, "d": 0.10}}')
    assert text == f"a: NaN\nb: -Infinity\nc: {'9' * 5000}\nd: 0.1"


def test_records_of_odd_types_are_read_beside_the_others() -> None:
    records = [
        {"text": "One.", "title": {"x": 1}, "id": ["a"]}, {"text": "Two.", "id": "b\n\ud800"}, 5,
    ]  # fmt: skip
    row, documents = read_file("a.json", json.dumps(records).encode())
    assert [one.text for one in documents] == ["One.", "Two.", "5"]
    assert documents[1].name == "a.json#b\\x0a\\ud800"
    assert row.status == "read"


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("a,b\r1,2\r", "a: 1; b: 2"),
        ('a,b\n"x\r\ny",2', "a: x\ny; b: 2"),
        ("a;b\n1;2\n3;4", "a: 1; b: 2\n\na: 3; b: 4"),
        ('a, b\n"1, 2", 3', "a: 1, 2; b: 3"),
    ],
)
def test_tables_with_any_line_ends_and_delimiters(table: str, text: str) -> None:
    assert read("t.csv", table)[2] == [text]


def test_ten_thousand_columns_and_a_huge_cell() -> None:
    names = ",".join(f"c{n}" for n in range(10_000))
    assert "c9999: v" in read("t.csv", f"{names}\n{','.join('v' * 10_000)}")[2][0]
    assert len(read("t.csv", f"a,b\n{'x' * 1_000_000},2")[2][0]) > 1_000_000


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Früh übt sich, wer ein Meister werden will.", "cp1252"),
        ("L’été à la plage, c’est déjà « l’essentiel ».", "cp1252"),
        ("世界人権宣言" * 5, "iso2022_jp"),
        ("Однажды в студёную зимнюю пору я из лесу вышел. " * 9, "koi8-r"),
        ("第一章 我们的国家和人民在这里生活。" * 20, "gb18030"),
    ],
)
def test_texts_in_old_encodings(text: str, encoding: str) -> None:
    assert read("a.txt", text.encode(encoding))[2] == [text.strip()]


def test_a_broken_or_cut_character_does_not_change_the_encoding() -> None:
    text = "Früh übt sich. " * 3000
    (broken,) = read("a.txt", text.encode() + b"\xff" + text.encode())[2]
    assert broken.startswith("Früh übt sich.")
    assert read("a.txt", PROSE.encode("utf-16")[:-1])[2] == [PROSE.strip()[:-1] + "."]
    assert read("a.txt", PROSE.replace("tide", "tide\0").encode() * 9)[0] == "read"


@pytest.mark.parametrize(
    "page",
    [
        "<a " * 6_000, "<!--" * 40_000, "<![CDATA[" * 20_000, "<div>" * 20_000 + "x",
        "<table><tr><td>" * 2000 + "x", "&" * 50_000,
    ],
)  # fmt: skip
def test_a_page_that_is_never_closed_is_read_in_time(page: str) -> None:
    began = time.process_time()
    assert read("p.html", f"<html><body>{page}")[0] == "read"
    assert time.process_time() - began < 5


def test_scripts_styles_and_images_in_a_page_are_no_text() -> None:
    image = f"<img src='data:image/png;base64,{'A' * 60_000}'>"
    page = f"<html><body><script>x()</script><style>p{{}}</style><p>Tide {image}turned.</p>"
    assert read("p.html", page)[2] == ["Tide turned."]


@pytest.mark.parametrize("text", [" " * 200_000 + "x", "\t" * 200_000 + "x\n" + " " * 99_999 + "y"])
def test_a_long_run_of_spaces_takes_no_time(text: str) -> None:
    began = time.process_time()
    assert normalise(text) in ("x", "x\n" + " " * 99_999 + "y")
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\x1f\x8b\x08" + bytes(99), "zip"),
        (b"\x00\x00\x00\x18ftypmp42" + bytes(99), "transcript"),
        (b"\x7fELF" + bytes(99), "program"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "password"),
        (b"%PDF-1.4\n%%EOF", "damaged"),
    ],
)
def test_each_other_kind_gets_its_own_advice(data: bytes, told: str) -> None:
    status, reason, _ = read("thing", data)
    assert (status, told in reason) == ("failed", True)


def test_damaged_pdfs_say_nothing_on_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    read("a.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 9)
    assert capfd.readouterr().err == ""


def test_an_archive_tells_of_each_file_that_stays_inside() -> None:
    third = zipped({"c.zip": zipped({"b.zip": zipped({"a.txt": "x"})}), "d.txt": "y"})
    found = {one.name: one for one in expand("z.zip", third)}
    assert found["z.zip/d.txt"] == Found("z.zip/d.txt", b"y")
    assert "inside an archive" in found["z.zip/c.zip/b.zip"].reason
    (cut,) = expand("z.zip", third[:-30])
    (void,) = expand("z.zip", zipped({}))
    (many,) = expand("z.zip", zipped({f"{n}.txt": "" for n in range(MAX_FILES + 1)}))
    assert all(one.reason and not one.data for one in (cut, void, many))


def test_a_damaged_or_locked_file_of_an_archive_leaves_the_others() -> None:
    data = bytearray(zipped({"a.txt": PROSE, "b.txt": PROSE * 9}))
    data[40] ^= 0xFF  # in the packed bytes of a.txt
    first, second = expand("z.zip", bytes(data))
    assert "damaged" in first.reason
    assert second.data == (PROSE * 9).encode()
    locked = bytearray(zipped({"a.txt": PROSE}))
    locked[locked.index(b"PK\x01\x02") + 8] |= 1  # the mark of a password
    (only,) = expand("z.zip", bytes(locked))
    assert "password" in only.reason


def test_names_in_an_archive_neither_lead_out_nor_hide_each_other() -> None:
    names = ["/etc/a.txt", "C:\\x\\b.txt", "../c.txt", "c.txt"]
    found = [one.name for one in expand("z.zip", zipped(dict.fromkeys(names, "x")))]
    assert sorted(found) == ["z.zip/c (2).txt", "z.zip/c.txt", "z.zip/etc/a.txt", "z.zip/x/b.txt"]


def test_names_that_are_no_text_are_written_out() -> None:
    assert safe_name("caf\udce9\x1b[2J\u202etxt") == "caf\\xe9\\x1b[2J\\u202etxt"
    assert safe_name("Ünïcode – 日本語 (copy #1).txt") == "Ünïcode – 日本語 (copy #1).txt"
    assert whole_characters("Why\ud800?\n") == "Why\\ud800?\n"
    row, (document,) = read_file("a\udcff.txt", PROSE.encode())
    assert (row.name, document.name) == ("a\\xff.txt", "a\\xff.txt")


def test_a_name_may_hold_a_number_sign() -> None:
    _, (document,) = read_file("Minutes (copy #1).txt", PROSE.encode())
    assert document.title == "Minutes (copy #1)"


def test_what_is_no_file_in_a_folder_has_a_row_with_a_reason(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "in").mkdir(parents=True)
    (root / "in" / "a.txt").write_text("x")
    (tmp_path / "out.txt").write_text("secret")
    (root / "inside").symlink_to(root / "in" / "a.txt")
    (root / "leaves").symlink_to(tmp_path / "out.txt")
    (root / "nothing").symlink_to(root / "gone")
    (root / "circle").symlink_to(root / "circle")
    (root / "folder").symlink_to(root / "in", target_is_directory=True)
    os.mkfifo(root / "pipe")
    (root / "large").touch()
    os.truncate(root / "large", MAX_FILE_BYTES + 1)
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(root)  # the path of a socket must be short
        listener.bind("socket")
        os.chdir(here)
        reasons = {name: reason for name, _, reason in walk(root)}
    assert {name for name, reason in reasons.items() if not reason} == {"in/a.txt", "inside"}
    assert "out of the folder" in reasons["leaves"]
    assert "link to nothing" in reasons["nothing"]
    assert "their own names" in reasons["folder"]
    assert "pipe" in reasons["pipe"]
    assert "pipe" in reasons["socket"]
    assert "500 MB" in reasons["large"]
    assert "circle" in reasons


def test_a_folder_with_names_in_another_encoding_is_walked(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/caf\xe9.txt", "wb") as file:
        file.write(b"x")
    ((name, path, reason),) = walk(tmp_path)
    assert (name, path.read_bytes(), reason) == ("caf\\xe9.txt", b"x", "")

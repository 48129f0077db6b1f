"""One form for every text, reached in one step; and what a text says about itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.describing import choose_title, read_date, read_metadata
from sensemaking.text.languages import detect_language
from sensemaking.text.normalising import normalise
from sensemaking.text.structure import find_sections


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    once.encode("utf-8")


def test_paragraphs_stay_and_invisible_marks_go() -> None:
    assert normalise("a\u00adb\u200b\r\n\r\n\r\n\r\n\r\nc\x00 \nd") == "ab\n\n\nc\nd"


def test_the_lost_hyphen_of_a_pdf_comes_back() -> None:
    assert normalise("behind\x02the scenes, end\x02") == "behind-the scenes, end"


def test_joiners_stay_because_they_spell() -> None:
    family = "\U0001f468\u200d\U0001f469"
    assert normalise(family) == family


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The harbour was closed because of the storm, and the ships had to wait.", "en"),
        ("Der Hafen war wegen des Sturms geschlossen, und die Schiffe mussten warten.", "de"),
        ("Le port était fermé à cause de la tempête et les navires devaient attendre.", "fr"),
        ("El puerto estaba cerrado por la tormenta y los barcos tenían que esperar.", "es"),
        ("폭풍 때문에 항구가 닫혔고 배들은 기다려야 했다.", "ko"),
        ("嵐のため港は閉鎖され、船は待たなければならなかった。", "ja"),
        ("由于暴风雨，港口关闭，船只不得不等待。", "zh"),
        ("كان الميناء مغلقا بسبب العاصفة وكان على السفن أن تنتظر.", "ar"),
        ("Порт был закрыт из-за шторма, и корабли должны были ждать.", "ru"),
        ("Порт був закритий через шторм, і кораблі мали чекати.", "uk"),
        ("بندر به دلیل طوفان بسته بود و کشتی‌ها چاره‌ای جز صبر نداشتند. گفتند پایان.", "fa"),
        ("Havnen var lukket på grund af stormen, og skibene måtte vente.", "da"),
        ("De haven was gesloten vanwege de storm en de schepen moesten wachten.", "nl"),
        ("Il porto era chiuso a causa della tempesta e le navi dovevano aspettare.", "it"),
        ("O porto estava fechado por causa da tempestade e os navios tiveram de esperar.", "pt"),
        ("Hamnen var stängd på grund av stormen och fartygen fick vänta.", "sv"),
        ("ท่าเรือปิดเพราะพายุ", "th"),
        ("Το λιμάνι ήταν κλειστό", "el"),
        ("तूफान के कारण बंदरगाह बंद था।", "hi"),
        ("12 345 — 67 %", "und"),
        ("a,b,c 1,2,3", "und"),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Hearing of Thursday 20 June 2024, Court 2", "2024-06-20"),
        ("New York, June 3rd, 1787", "1787-06-03"),
        ("Date: Tue, 9 July 2024 16:03", "2024-07-09"),
        ("updated 2024-11-05.", "2024-11-05"),
        ("in 2024 or so", None),
    ],
)
def test_dates(text: str, date: str | None) -> None:
    assert read_date(text) == date


def test_a_mail_tells_who_when_and_about_what() -> None:
    text = "From: Ada Lind\nTo: Bo Nord\nDate: 4 May 2024\nSubject: Tides\n\nThe tide turned.\n"
    sections = find_sections(text)
    metadata = read_metadata(text, "mail.txt", sections)
    assert metadata == {
        "from": "Ada Lind",
        "to": "Bo Nord",
        "subject": "Tides",
        "date": "2024-05-04",
    }
    assert choose_title(text, "mail.txt", sections, metadata) == "Tides"


def test_a_file_name_is_a_title_of_last_resort() -> None:
    assert choose_title("Plain.", "x/2024-03-14-planning_minutes.txt", (), {}) == "Planning minutes"


def test_a_slug_of_names_is_written_as_names() -> None:
    assert choose_title("Plain.", "ep12-bill-coughran.txt", (), {}) == "Ep12 Bill Coughran"


@pytest.mark.shared_data
def test_the_language_of_each_parallel_text_is_found(shared_data: Path) -> None:
    for path in sorted((shared_data / "data/corpora/xquad_multilingual/small").glob("xq-*.txt")):
        assert detect_language(path.read_text("utf-8")) == path.name[3:5], path.name

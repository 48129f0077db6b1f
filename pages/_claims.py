"""The claims of two answers side by side, each with the passages it rests on."""

from __future__ import annotations

import streamlit as st

from pages import _comparing as sides
from pages import _look as look
from pages._look import esc
from pages._words import count, shorten
from sensemaking.types import AlignedClaim, AlignmentKind, Span
from sensemaking.workspace import Corpus
from sensemaking.workspace.comparing import SplitAnswer

ICONS: dict[AlignmentKind, str] = {
    "agree": "check",
    "conflict": "priority_high",
    "first only": "chevron_left",
    "second only": "chevron_right",
}
PASSAGES = 3
QUOTE = 320
ROWS = 60
"""Claims that are drawn at once."""


def draw_claims(
    corpus: Corpus, splits: tuple[SplitAnswer, SplitAnswer], pair: tuple[int, int]
) -> None:
    """Draw the claims of two answers; `pair` are the numbers of the runs (from 0)."""
    aligned = corpus.evaluations.comparing.align(*splits)
    one, other = (sides.LETTERS[n] for n in pair)
    names: dict[AlignmentKind, str] = {
        "agree": "Both",
        "conflict": "They differ",
        "first only": f"Only {one}",
        "second only": f"Only {other}",
    }
    look.heading("Claim by claim", count(len(aligned), "claim"))
    if not aligned:
        look.text("Neither answer claims anything.", "s")
        return
    counts = {kind: sum(each.kind == kind for each in aligned) for kind in names}
    shown = st.pills(
        "Show",
        list(names),
        selection_mode="multi",
        default=list(names),
        format_func=lambda kind: f"{names[kind]} {counts[kind]}",
        key="claims_shown",
        label_visibility="collapsed",
    )
    words = st.text_input(
        "Words in a claim",
        key="claims_words",
        placeholder="Only claims with these words",
        label_visibility="collapsed",
    )
    rows = [each for each in aligned if each.kind in shown and _has(each, splits, words)]
    if not rows:
        look.text("No claim is left by this choice.", "s")
        return
    markup = [_row(corpus, each, splits, pair, names[each.kind]) for each in rows[:ROWS]]
    look.draw("".join(markup))
    if len(rows) > ROWS:
        look.text(f"{len(rows) - ROWS} more: choose fewer kinds, or give words.", "s")


def _has(one: AlignedClaim, splits: tuple[SplitAnswer, SplitAnswer], words: str) -> bool:
    places = zip((one.first, one.second), splits, strict=True)
    text = " ".join(split.claims[at] for at, split in places if at >= 0).casefold()
    return all(word in text for word in words.casefold().split())


def _row(
    corpus: Corpus,
    one: AlignedClaim,
    splits: tuple[SplitAnswer, SplitAnswer],
    pair: tuple[int, int],
    word: str,
) -> str:
    reason = f": {one.reason}" if one.reason else ""
    cells = []
    for at, split, n in zip((one.first, one.second), splits, pair, strict=True):
        letter = sides.LETTERS[n]
        said = (
            _claim(corpus, split, at)
            if at >= 0
            else f'<p class="sm-s">{letter} does not say this.</p>'
        )
        cells.append(f"<div>{said}</div>")
    kind = one.kind.split()[0]
    return (
        f'<div class="sm-claim sm-claim-{kind}" style="{_style(one.kind, pair)}">'
        f'<p class="sm-s"><span class="ico">{ICONS[one.kind]}</span> {esc(word + reason)}</p>'
        f'<div class="sm-two">{"".join(cells)}</div></div>'
    )


def _style(kind: AlignmentKind, pair: tuple[int, int]) -> str:
    """Return the bar beside a claim: both colours, one, or hatching and a tint for a conflict."""
    first, second = (sides.color(n) for n in pair)
    if kind == "conflict":
        return (
            "border-left-color:var(--bad);background:var(--warn-soft);"
            "padding:8px 12px;border-radius:0 6px 6px 0"
        )
    if kind == "agree":
        return f"border-image:linear-gradient({first} 50%,{second} 50%) 1"
    return f"border-left-color:{first if kind == 'first only' else second}"


def _claim(corpus: Corpus, split: SplitAnswer, place: int) -> str:
    at = split.sentences[place]
    spans = list(dict.fromkeys(split.answer.sentences[at].spans)) if at >= 0 else []
    text = f'<p class="sm-p">{look.exact(split.claims[place])}</p>'
    if not spans:
        return f'{text}<p class="sm-s">No passage is cited.</p>'
    passages = "".join(_passage(corpus, one) for one in spans[:PASSAGES])
    more = len(spans) - PASSAGES
    rest = f'<p class="sm-s">and {count(more, "more passage")}</p>' if more > 0 else ""
    return (
        f"{text}<details><summary class='sm-s'>{esc(count(len(spans), 'passage'))}</summary>"
        f"{passages}{rest}</details>"
    )


def _passage(corpus: Corpus, span: Span) -> str:
    document = corpus.document(span.document_id)
    quote = shorten(" ".join(document.text[span.start : span.end].split()), QUOTE)
    return (
        f'<p class="sm-l">{esc(document.name)}</p>'
        f'<p class="sm-src small"><mark>{look.exact(quote)}</mark></p>'
    )

"""Answers side by side: while they are made, claim by claim, and as they are judged."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._words import count, duration, money, number, plain_label, share
from sensemaking.methods import METHODS
from sensemaking.types import AlignedClaim, AlignmentKind, Answer, AnswerSnapshot
from sensemaking.workspace import Corpus
from sensemaking.workspace.comparing import SplitAnswer, Winner

POLL_SECONDS = 0.5
LETTERS = "ABCD"
SIGNS: dict[AlignmentKind, tuple[str, str]] = {
    "agree": ("check", "both say it"),
    "conflict": ("priority_high", "they differ"),
    "first only": ("chevron_left", "only the first"),
    "second only": ("chevron_right", "only the second"),
}
FILTERS: dict[str, AlignmentKind | None] = {
    "All": None,
    "Both": "agree",
    "Differ": "conflict",
    "Only first": "first only",
    "Only second": "second only",
}
QUOTE = 320


def label(snapshot: AnswerSnapshot) -> str:
    """Return what an answer was made with, in few words."""
    told = dict(snapshot.settings)
    name = told.get("method", snapshot.answer.method if snapshot.answer else "")
    method = METHODS.get(name)
    if method is None or method.reads != "reports":
        return method.label if method is not None else name
    level = told.get("level", "leaf")
    where = choices.level_label(int(level) if level.isdecimal() else None)
    return f"{method.label}, {choices.hierarchy_label(told.get('hierarchy', ''))}, {where}"


def draw_column(snapshot: AnswerSnapshot, letter: str, *, is_named: bool) -> None:
    """Draw one answer: its name or, blind, its letter alone; its text; what it took."""
    look.heading(letter, label(snapshot) if is_named else "")
    answer = snapshot.answer
    if answer is None:
        if snapshot.error:
            look.draw(f'<p class="sm-p sm-wrap" role="alert">{esc(snapshot.error)}</p>')
        done = sum(one.status != "waiting" for one in snapshot.sub_answers)
        look.text(f"{done} of {count(len(snapshot.sub_answers), 'window')} read", "s")
        look.draw(f'<p class="sm-p">{look.exact(snapshot.text)}</p>')
        return
    for paragraph in answer.paragraphs:
        if paragraph.heading:
            look.draw(f'<p class="sm-h">{look.exact(paragraph.heading)}</p>')
        text = " ".join(one.text for one in paragraph.sentences)
        look.draw(f'<p class="sm-p">{look.exact(text)}</p>')
    for note in answer.notes if not answer.paragraphs else ():
        look.text(note)
    if is_named:
        _draw_facts(answer)


def _draw_facts(answer: Answer) -> None:
    n_words = sum(len(one.text.split()) for one in answer.sentences)
    coverage = answer.coverage
    look.facts(
        [
            ("Length", number(n_words), "words"),
            ("Read", number(answer.n_tokens), "tokens"),
            ("Calls", number(answer.usage.calls)),
            ("Cost", money(answer.usage.cost)),
            ("Time", duration(answer.seconds)),
            ("Chunks", share(coverage.n_chunks_covered, coverage.n_chunks)),
        ]
    )


def draw_running(corpus: Corpus, ids: Sequence[str]) -> None:
    """Draw the answers while they are made, all at the same time."""

    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        with look.guard("compare_failure"):
            now = [corpus.answer(one) for one in ids]
            if not any(one.is_running for one in now):
                st.rerun()
            for n, column in enumerate(st.columns(len(now), gap="medium")):
                with column, st.container(border=True, key=f"panel_run_{n}", gap="small"):
                    draw_column(now[n], LETTERS[n], is_named=True)

    with st.container(key="poll_compare"):
        follow()


def draw_claims(corpus: Corpus, first: SplitAnswer, second: SplitAnswer) -> None:
    """Draw the claims of two answers side by side, each with its first passage."""
    aligned = corpus.evaluations.comparing.align(first, second)
    counts = {kind: sum(one.kind == kind for one in aligned) for kind in SIGNS}
    told = [f"{counts['agree']} in both", f"{counts['conflict']} differ"]
    told += [f"{counts['first only']} only in the first"]
    told += [f"{counts['second only']} only in the second"]
    look.heading("Claim by claim", ", ".join(told))
    if not aligned:
        look.text("Neither answer claims anything.", "s")
        return
    chosen = st.segmented_control(
        "Show", list(FILTERS), default="All", key="claims_shown", label_visibility="collapsed"
    )
    wanted = FILTERS.get(chosen or "All")
    rows = [one for one in aligned if wanted is None or one.kind == wanted]
    look.draw("".join(_claim_row(corpus, one, first, second) for one in rows))


def _claim_row(corpus: Corpus, one: AlignedClaim, first: SplitAnswer, second: SplitAnswer) -> str:
    icon, word = SIGNS[one.kind]
    left = _claim(corpus, first, one.first) if one.first >= 0 else ""
    right = _claim(corpus, second, one.second) if one.second >= 0 else ""
    reason = f": {one.reason}" if one.reason else ""
    return (
        f'<div class="sm-claim sm-claim-{one.kind.split()[0]}">'
        f'<p class="sm-s"><span class="ico">{icon}</span> {esc(word + reason)}</p>'
        f'<div class="sm-two"><div>{left}</div><div>{right}</div></div></div>'
    )


def _claim(corpus: Corpus, split: SplitAnswer, place: int) -> str:
    at = split.sentences[place]
    spans = split.answer.sentences[at].spans if at >= 0 else ()
    source = ""
    if spans:
        document = corpus.document(spans[0].document_id)
        quote = " ".join(document.text[spans[0].start : spans[0].end].split())
        cut = quote if len(quote) <= QUOTE else quote[: QUOTE - 1] + "…"
        source = f'<p class="sm-s"><b>{esc(document.name)}</b> {look.exact(cut)}</p>'
    return f'<p class="sm-p">{look.exact(split.claims[place])}</p>{source}'


def draw_blind(corpus: Corpus, first: Answer, second: Answer) -> None:
    """Draw the choice of a winner per criterion, before it is known which answer is which."""
    comparing = corpus.evaluations.comparing
    is_swapped = comparing.is_swapped(first, second)
    options: dict[str, Winner] = {"Left": 1, "Equal": 0, "Right": 2}
    if is_swapped:
        options = {"Left": 2, "Equal": 0, "Right": 1}
    look.heading("Your verdict", "names are shown afterwards")
    for criterion in corpus.evaluations.criteria():
        st.radio(
            plain_label(f"{criterion.name.capitalize()}: {criterion.definition}"),
            list(options),
            index=None,
            horizontal=True,
            key=f"own_{criterion.name}",
        )

    def reveal() -> None:
        given = {
            one.name: options[word]
            for one in corpus.evaluations.criteria()
            if (word := session.kept(f"own_{one.name}", "") or "") in options
        }
        if given:
            session.act(comparing.keep_own, first, second, given)
        session.set_params(blind=None)

    st.button("Keep and show names", type="primary", key="reveal", on_click=reveal)


def draw_verdicts(corpus: Corpus, first: Answer, second: Answer, letters: tuple[str, str]) -> None:
    """Draw what the extractive judge measures, and what a person said, per criterion."""
    comparing = corpus.evaluations.comparing
    own = comparing.own(first, second)
    names = {0: "equal", 1: letters[0], 2: letters[1], None: "no verdict"}
    look.titled("Verdicts", "Measured by the extractive judge in both orders; not an opinion.")
    rows = []
    for one in comparing.judge(first, second):
        mine = f", you: {names[own[one.criterion.name]]}" if one.criterion.name in own else ""
        rows.append(
            f'<div class="sm-claim"><p class="sm-p"><b>{esc(one.criterion.name.capitalize())}</b>: '
            f"{esc(names[one.winner])}{esc(mine)}</p>"
            f'<p class="sm-s">{esc(one.criterion.definition)}</p>'
            f'<p class="sm-s">{esc(" ".join(one.reasons[:1]))}</p></div>'
        )
    look.draw("".join(rows))

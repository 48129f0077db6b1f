"""An answer: its sentences, how well they are supported, what it was made from, its evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from pages import _evidence as evidence
from pages import _look as look
from pages import _session as session
from pages import _windows as windows
from pages._look import esc
from pages._prose import Block, Sentence, draw_prose, support_state
from pages._words import count, duration, money, number, share, shorten
from sensemaking.methods import METHODS
from sensemaking.types import (
    Answer,
    AnswerSnapshot,
    Estimate,
    Report,
    Skipped,
    Span,
    Usage,
    WindowsPlanned,
)
from sensemaking.workspace import Corpus

_POINT_NUMBERS = re.compile(r"\s*\[\d+(?:,\s*\d+)*\]?|\s*\[$")
MAX_SKIPPED = 40
LONG_QUESTION = 160
"""From so many characters on, a question is set small."""


def draw_question(question: str) -> None:
    """Draw the question as the page's title, in the serif of a person's words."""
    style = " long" if len(question) > LONG_QUESTION else ""
    look.draw(f'<h1 class="sm-q{style}" style="padding:0">{look.exact(question)}</h1>')


def plan_line(method: str, plan: WindowsPlanned) -> str:
    """Return what a question reads, in one line of markup."""
    coverage = plan.coverage
    return (
        f'<p class="sm-s"><b>{esc(method_label(method))}</b>, '
        f"{esc(count(coverage.n_reports, read_unit(method)))} in "
        f"{esc(count(len(plan.titles), 'window'))}, {esc(number(plan.n_tokens))} tokens, "
        f"<b>{esc(share(coverage.n_chunks_covered, coverage.n_chunks))}</b> of the chunks</p>"
    )


def method_label(method: str) -> str:
    """Return the name of a method as the menu has it."""
    return METHODS[method].label if method in METHODS else method or "Global"


def read_unit(method: str) -> str:
    """Return the word for what a method reads: reports, or passages of the documents."""
    reads = METHODS[method].reads if method in METHODS else "reports"
    return "report" if reads == "reports" else "passage"


def estimate_line(method: str, over: str, plan: WindowsPlanned | None, estimate: Estimate) -> str:
    """Return what a question would read and take, in one line of markup."""
    parts = [f"<b>{esc(method)}</b> over <b>{esc(over)}</b>"]
    if plan is not None:
        coverage = plan.coverage
        parts.append(
            f"{esc(count(coverage.n_reports, 'report'))} in "
            f"{esc(count(len(plan.titles), 'window'))}, {esc(number(plan.n_tokens))} tokens"
        )
        parts.append(
            f"<b>{esc(share(coverage.n_chunks_covered, coverage.n_chunks))}</b> of the chunks"
        )
    calls, cost = estimate.calls[1], estimate.cost
    if calls:
        parts.append(esc(count(round(calls), "call")))
    parts.append(esc("cost not known" if cost is None else money(cost[1])))
    parts.append(f"about {esc(duration(estimate.seconds[1]))}")
    return f'<p class="sm-s">{", ".join(parts)}</p>'


def source_numbers(answer: Answer) -> dict[Span, int]:
    """Return the number of each source, in order of first use."""
    spans = dict.fromkeys(span for one in answer.sentences for span in one.spans)
    return {span: n for n, span in enumerate(spans, 1)}


def draw_answer(answer: Answer, *, picked: int | None, only: Collection[int] | None = None) -> None:
    """Draw the sentences, then how many are supported, then the notes on the evidence.

    `only` are the places of the sentences to show, None for all.
    """
    if not answer.sentences:
        for note in answer.notes:
            look.text(note)
        return
    numbers = source_numbers(answer)
    blocks: list[Block] = []
    index = 0
    for paragraph in answer.paragraphs:
        sentences = []
        for one in paragraph.sentences:
            if only is None or index in only:
                refs = tuple(numbers[span] for span in one.spans)
                sentences.append(Sentence(index, one.text, one.support, refs))
            index += 1
        if sentences:
            blocks.append(Block(paragraph.heading, tuple(sentences)))
    version = answer.id if only is None else f"{answer.id} {sorted(only)}"
    draw_prose(
        blocks, version=version, selected=picked, key=f"answer_{answer.id}", param="sentence"
    )
    if only is None:
        _support(answer, len(numbers))
        _notes(answer)


def draw_made_from(corpus: Corpus, answer: Answer) -> None:
    """Draw the windows behind an answer, what failed among them and what was left out."""
    used = sum(one.status == "kept" for one in answer.sub_answers)
    cut = sum(one.status == "cut" for one in answer.sub_answers)
    zero = sum(one.status == "zero" for one in answer.sub_answers)
    failed = sum(one.status == "failed" for one in answer.sub_answers)
    parts = [f"{used} used"]
    parts += [f"{cut} cut by the budget"] if cut else []
    parts += [f"{zero} without help"] if zero else []
    parts += [f"{failed} failed"] if failed else []
    look.heading(f"Made from {count(len(answer.sub_answers), 'window')}", ", ".join(parts))
    for what, how in answer.trace:
        look.draw(f'<p class="sm-s"><b>{esc(what.capitalize())}</b> {esc(how)}</p>')
    windows.strip(answer.sub_answers, height=30)
    windows.failures(answer.sub_answers)
    key, places, reports = places_of(corpus, dict(answer.settings))
    come_from = windows.origins(answer.sub_answers, places, reports)
    windows.ranked(answer.sub_answers, come_from=come_from)
    _left_out(answer.skipped)
    windows.all_of_them(
        answer.sub_answers,
        key=f"windows_{answer.id}",
        corpus=corpus.name,
        places=places,
        hierarchy=key,
    )


def places_of(
    corpus: Corpus, settings: Mapping[str, str]
) -> tuple[str, dict[str, session.Place], dict[str, Report]]:
    """Return the hierarchy that an answer was made from, with the places of its reports.

    Empty where the present build has none of that key: an answer outlives its build.
    """
    key = settings.get("hierarchy", "")
    if key not in {one.key for one in corpus.hierarchies()}:
        return key, {}, {}
    return key, session.report_places(corpus, key), session.reports(corpus, key)


def _left_out(skipped: Sequence[Skipped]) -> None:
    """Draw what was not kept of the windows' replies, and why, behind one click."""
    if not skipped:
        return
    with st.expander(f"{count(len(skipped), 'thing')} left out, and why", key="left_out"):
        for one in skipped[:MAX_SKIPPED]:
            look.draw(
                f'<p class="sm-s"><b>{esc(shorten(one.subject, 90))}</b> '
                f"{esc(shorten(one.reason, 300))}</p>"
            )
        if len(skipped) > MAX_SKIPPED:
            look.text(f"and {len(skipped) - MAX_SKIPPED} more", "s")


def draw_drawer(corpus: Corpus, answer: Answer, picked: int) -> None:
    """Draw the evidence of one sentence beside the answer."""
    sentence = answer.sentences[picked]
    found = corpus.evidence(answer.id, picked)
    numbers = source_numbers(answer)
    left, right = st.columns([3, 1], vertical_alignment="center")
    with left:
        words = {"weak": "Weak support", "none": "Unsupported"}
        word = words.get(support_state(sentence.support), "Support")
        look.draw(
            f'<h2 class="sm-h">Evidence for sentence {picked + 1}</h2>'
            f'<p class="sm-s">{word}: {sentence.support} of 100, '
            f"{esc(count(len(found), 'source'))}</p>"
        )
    with right:
        evidence.walk(picked, len(answer.sentences), key="sentence", param="sentence")
    evidence.sources(
        found,
        corpus.name,
        key=f"sentence_{answer.id}_{picked}",
        numbers=[numbers.get(one.span, n) for n, one in enumerate(found, 1)],
    )


def draw_running(snapshot: AnswerSnapshot) -> None:
    """Draw the answer as it is being written."""
    look.heading("Answer")
    if not snapshot.text:
        lines = "".join(
            f'<div class="sm-skel" style="width:{width}%"></div>' for width in (96, 91, 98, 62)
        )
        look.draw(f'<p class="sm-s">Written when the last window is read.</p>{lines}')
        return
    look.draw(_streamed(snapshot.text))


def facts_line(answer: Answer, hierarchy: str, level: str) -> str:
    """Return what an answer took, in one line of markup."""
    covered = share(answer.coverage.n_chunks_covered, answer.coverage.n_chunks)
    calls, cost = answer.usage.calls + answer.usage.cached_calls, answer.usage.cost
    spent = "no cost"
    if calls:
        spent = f"{count(calls, 'call')}, " + (money(cost) if cost else "cost not known")
    over = f"{esc(hierarchy)} {esc(level)}"
    return (
        f'<p class="sm-s"><b>{esc(method_label(answer.method))}</b>, {over}, '
        f"<b>{esc(number(answer.coverage.n_reports))}</b> {esc(read_unit(answer.method))}s, "
        f"<b>{esc(covered)}</b> of the chunks, {esc(number(answer.n_tokens))} tokens, "
        f"{esc(spent)}, <b>{esc(duration(answer.seconds))}</b></p>"
    )


def spent(usage: Usage) -> list[look.Fact]:
    """Return what a model was used for so far, () without one."""
    calls = usage.calls + usage.cached_calls
    if not calls:
        return []
    return [("Calls", number(calls)), ("Cost", money(usage.cost) if usage.cost else "–")]


def _streamed(text: str) -> str:
    """Return the text so far as markup: headings, and no point numbers, which become sources."""
    lines = []
    for line in _POINT_NUMBERS.sub("", text).splitlines():
        if line.startswith("## "):
            lines.append(f'<p class="sm-h">{esc(line[3:])}</p>')
        elif line.startswith("> "):
            lines.append(f'<p class="sm-s">{esc(line[2:])}</p>')
        elif line.strip():
            lines.append(f'<p class="sm-p">{esc(line)}</p>')
    return f'<div class="sm-flow">{"".join(lines)}</div>'


def _support(answer: Answer, n_sources: int) -> None:
    states = [support_state(one.support) for one in answer.sentences]
    votes = "".join(f'<i class="{state}"></i>' for state in states)
    good = states.count("")
    parts = [f"<b>{good} of {len(states)}</b> sentences supported"]
    parts += [f"<b>{states.count('weak')} weak</b>"] if "weak" in states else []
    parts += [f"<b>{states.count('none')} unsupported</b>"] if "none" in states else []
    documents = len({span.document_id for one in answer.sentences for span in one.spans})
    parts.append(f"{esc(count(n_sources, 'source'))} in {esc(count(documents, 'document'))}")
    look.draw(
        f'<div class="sm-row"><div class="sm-votes">{votes}</div>'
        f'<p class="sm-s">{", ".join(parts)}</p></div>'
    )


def _notes(answer: Answer) -> None:
    if answer.notes:
        lines = "".join(f'<p class="sm-s">{esc(note)}</p>' for note in answer.notes)
        look.draw(f'<div class="sm-notes"><p class="sm-l">About the evidence</p>{lines}</div>')


def picked_sentence(answer: Answer) -> int | None:
    """Return the sentence of the address, where there is one."""
    asked = session.number_param("sentence")
    return asked if asked is not None and asked < len(answer.sentences) else None

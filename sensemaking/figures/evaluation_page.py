"""An evaluation as one HTML file that needs nothing else: words, tables, figures.

A result comes in; the text of a page goes out. Everything that comes from documents or models is
escaped; the drawing library is part of the file, so that it opens without a network.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

import plotly.graph_objects as go

from sensemaking.figures.evaluation import outcome_figure, pareto_figure, win_rate_figure
from sensemaking.figures.theme import Palette
from sensemaking.types import EvaluationResult, Faithfulness

PRINT = Palette(
    page="#FBFAF7",
    surface="#FFFFFF",
    sunken="#F3F1EB",
    line_strong="#C9C4B9",
    ink="#1B1F21",
    ink2="#43494C",
    communities=("#0B6670", "#B4541A"),
    rest="#8F8B82",
    tints=(0.6,),
    kinds={},
    graph_fill=0.6,
    win_rate=("#BF7F3E", "#DFB88B", "#F3F1EC", "#9AC4C5", "#4E9398"),
)
"""Light, for paper: a page that leaves the program brings its colours."""

_STYLE = (
    "body{{font:15px/1.55 Hanken Grotesk,Source Sans,sans-serif;margin:2.5rem auto;max-width:60rem;"
    "padding:0 1.5rem;background:{page};color:{ink}}}h1{{font-size:1.7rem}}h2{{margin-top:2.4rem;"
    "font-size:1.2rem}}table{{border-collapse:collapse;width:100%;font-size:13px}}td,th{{padding:"
    ".3rem .6rem;border-bottom:1px solid {line};text-align:right}}td:first-child,th:first-child"
    "{{text-align:left}}.wide{{overflow-x:auto}}"
)


def render_page(result: EvaluationResult, palette: Palette = PRINT) -> str:
    """Return the page of a result; about 5 MB, the drawing library included."""
    figures = [_section(result, criterion, palette) for criterion in result.criteria]
    style = _STYLE.format(page=palette.page, ink=palette.ink, line=palette.line_strong)
    body = [
        f"<h1>{html.escape(result.name)}</h1>",
        f"<p>{result.n_questions:,} questions, {len(result.conditions):,} methods.</p>",
        "<h2>In words</h2>",
        *(f"<p>{html.escape(one)}</p>" for one in result.summary),
        "<h2>Methods</h2>",
        _methods_table(result),
        *figures,
        "<h2>Quality and time</h2>",
        _figure(pareto_figure(result, "seconds", palette), with_library=not figures),
        "<h2>Claim counts and verdicts</h2>",
        _table(
            ("measure", "criterion", "pairs", "agreement"),
            ((one.measure, one.criterion, one.n, _percent(one.share)) for one in result.agreements),
        ),
        "<h2>Unsupported sentences</h2>",
        *(
            f"<p><strong>{html.escape(one.label)}</strong>: {html.escape(sentence)}</p>"
            for one in result.conditions
            for sentence in one.faithfulness.unsupported[:50]
        ),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(result.name)}</title><style>{style}</style></head><body>"
        + "\n".join(body)
        + "</body></html>\n"
    )


def _section(result: EvaluationResult, criterion: str, palette: Palette) -> str:
    is_first = criterion == result.criteria[0]
    rows = (
        (
            f"{one.first} – {one.second}",
            one.n,
            f"{one.wins} / {one.ties} / {one.losses}",
            "" if one.win_rate is None else f"{one.win_rate:.1f}",
            "" if one.interval is None else f"{one.interval[0]:.1f} – {one.interval[1]:.1f}",
            f"{one.test.effect:+.2f}",
            f"{one.test.p:.2g}",
            f"{one.p_holm:.2g}",
        )
        for one in result.comparisons
        if one.criterion == criterion
    )
    head = ("pair", "questions", "won / tied / lost", "win rate %", "95 %", "effect", "p", "Holm")
    return "\n".join(
        (
            f"<h2>{html.escape(criterion.capitalize())}</h2>",
            _figure(win_rate_figure(result, criterion, palette), with_library=is_first),
            _figure(outcome_figure(result, criterion, palette), with_library=False),
            _table(head, rows),
        )
    )


def _methods_table(result: EvaluationResult) -> str:
    head = (
        *("method", "answers", "failed", "words", "claims", "documents", "tokens", "seconds"),
        *("win rate %", "supported", "citations", "facts"),
    )
    return _table(
        head,
        (
            (
                *(one.label, one.n_answers, one.n_failed, _number(one.words), _number(one.claims)),
                *(_number(one.documents), _number(one.tokens), _number(one.seconds)),
                *(_number(one.quality), *_shares(one.faithfulness)),
            )
            for one in result.conditions
        ),
    )


def _shares(one: Faithfulness) -> Sequence[str]:
    return [_percent(share) for share in (one.supported, one.resolved, one.facts_found)]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.0f} %"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    cells = "".join(f"<th>{html.escape(one)}</th>" for one in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(one))}</td>" for one in row) + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><tr>{cells}</tr>{body}</table></div>'


def _figure(figure: go.Figure, *, with_library: bool) -> str:
    return str(
        figure.to_html(
            full_html=False,
            include_plotlyjs=with_library,
            include_mathjax=False,
            config={"displaylogo": False, "responsive": True},
        )
    )

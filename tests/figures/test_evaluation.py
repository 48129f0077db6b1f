"""Figures and files of an evaluation, checked without a browser."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sensemaking.evaluation.conditions import make_batch, parse_conditions
from sensemaking.evaluation.export import (
    answers_csv,
    comparisons_csv,
    conditions_csv,
    evaluation_json,
    scores_csv,
    write_csv,
)
from sensemaking.evaluation.judging import record_verdict
from sensemaking.evaluation.results import collect_results, make_meetings
from sensemaking.evaluation.summary import summarise
from sensemaking.figures.evaluation import (
    COSTS,
    outcome_figure,
    pareto_figure,
    pareto_front,
    win_rate_figure,
)
from sensemaking.figures.evaluation_page import render_page
from sensemaking.figures.theme import read_palette
from sensemaking.ports import Verdict
from sensemaking.types import EvaluatedAnswer, Faithfulness, Question

TOKENS = json.loads((Path(__file__).parents[2] / "pages/static/tokens.json").read_text("utf-8"))
PALETTE = read_palette(TOKENS, "light")
EVIL = "</script><img src=x onerror=alert(1)>"
LABELS = ("A", "B", EVIL)
RANKS = {"A": 0, "B": 1, EVIL: 2}


def evaluated():
    batch = make_batch(
        f"Test {EVIL}",
        [Question(str(n), f"Question {n}? {EVIL}") for n in range(20)],
        parse_conditions([f"{label}=global" for label in ("A", "B", "C")]),
        criteria=("diversity", "directness"),
        judges=("scripted",),
    )
    conditions = tuple(
        replace(one, label=label) for one, label in zip(batch.conditions, LABELS, strict=True)
    )
    pairs = ((LABELS[0], LABELS[1]), (LABELS[0], EVIL), (LABELS[1], EVIL))
    batch = replace(batch, conditions=conditions, pairs=pairs)
    answers = {
        (question.id, label): EvaluatedAnswer(
            question.id + label, question.id, label, "x", "done",
            text=f"{label} answers {question.id}", claims=("=cmd()", "b"), clusters=((0.5, 2),),
            n_words=3, n_tokens=100, seconds=1.0 + RANKS[label],
            faithfulness=Faithfulness(2, 1, 0, 1, 1, 0, 0, (f"False {EVIL}",)),
        )
        for question in batch.questions
        for label in LABELS
    }  # fmt: skip
    found = {}
    for question in batch.questions:
        for meeting in make_meetings(batch, answers, question):
            for couples in meeting.judged:
                for couple in couples:
                    for duel in (couple.forward, couple.backward):
                        first, second = (
                            next(RANKS[one] for one in LABELS if text.startswith(f"{one} "))
                            for text in duel.texts
                        )
                        verdict = Verdict(1 if first < second else 2, "rank")
                        found[duel.id] = record_verdict(duel, verdict)
    result, scores = collect_results(batch, answers, found)
    return batch, answers, scores, result


BATCH, ANSWERS, SCORES, RESULT = evaluated()


def test_the_heat_map_shows_each_pair_from_both_sides_and_marks_what_is_sure() -> None:
    heat = win_rate_figure(RESULT, "diversity", PALETTE).data[0]
    assert heat.z[0][1] == 100.0
    assert heat.z[1][0] == 0.0
    assert heat.z[0][0] is None
    assert heat.text[0][1] == "<b>100*</b>"
    assert heat.text[1][1] == ""


def test_no_figure_and_no_sentence_calls_sure_what_few_questions_show() -> None:
    few = replace(
        RESULT,
        comparisons=tuple(
            replace(one, n=8, wins=8, test=replace(one.test, n_nonzero=8))
            for one in RESULT.comparisons
        ),
    )
    assert all(one.p_holm < 0.05 for one in few.comparisons)
    assert "*" not in str(win_rate_figure(few, "diversity", PALETTE).data[0].text)
    assert not [one for one in summarise(few) if "this is unlikely to be chance" in one]


def test_wins_ties_and_losses_add_up_to_the_questions() -> None:
    bars = outcome_figure(RESULT, "diversity", PALETTE).data
    assert [one.name for one in bars] == ["first wins", "tie", "second wins"]
    for counts in zip(*(one.x for one in bars), strict=True):
        assert sum(counts) == 20


@pytest.mark.parametrize("cost", sorted(COSTS))
def test_the_pareto_figure_names_every_condition(cost) -> None:
    line, points = pareto_figure(RESULT, cost, PALETTE).data
    assert len(points.text) == 3
    assert len(line.x) >= 1


def test_the_front_holds_what_nothing_beats() -> None:
    assert pareto_front([(1.0, 10.0), (1.0, 20.0), (5.0, 20.0), (9.0, 90.0)]) == {1, 3}
    assert pareto_front([(1.0, 10.0), (1.0, 10.0)]) == {0, 1}
    assert pareto_front([]) == frozenset()


def test_figures_of_an_empty_result_are_empty_and_no_error() -> None:
    empty, _ = collect_results(BATCH, {}, {})
    for criterion in ("diversity", "unknown"):
        win_rate_figure(empty, criterion, PALETTE)
        outcome_figure(empty, criterion, PALETTE)
    assert len(pareto_figure(empty, "seconds", PALETTE).data[1].x) == 0
    assert "<h1>" in render_page(empty)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_tables_hold_every_comparison_condition_score_and_answer() -> None:
    compared = rows(comparisons_csv(RESULT))
    assert len(compared) == 6
    assert float(compared[0]["win_rate"]) == 100.0
    assert float(compared[0]["p_holm"]) == pytest.approx(RESULT.comparisons[0].p_holm, rel=1e-4)
    assert [one["condition"] for one in rows(conditions_csv(RESULT))] == list(LABELS)
    assert len(rows(scores_csv(BATCH, SCORES))) == len(SCORES) == 20 * 3 * 2
    assert len(rows(answers_csv(BATCH, ANSWERS))) == 60


def test_cells_that_look_like_formulas_are_made_harmless() -> None:
    found = write_csv(("a", "b"), [("=cmd()", -1.5), ("@x", None), ("plain", 3)])
    assert found == "a,b\n'=cmd(),-1.5\n'@x,\nplain,3\n"


def test_everything_goes_into_one_json_object() -> None:
    whole = json.loads(evaluation_json(BATCH, RESULT, SCORES, ANSWERS))
    assert whole["result"]["conditions"][0]["faithfulness"]["supported"] == 0.5
    assert len(whole["answers"]) == 60
    assert len(whole["scores"]) == 120
    assert whole["batch"]["questions"][0]["text"].startswith("Question 0?")


def test_the_page_is_whole_in_itself_and_escapes_what_it_shows() -> None:
    page = render_page(RESULT)
    outside = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert "<img" not in outside
    assert "&lt;img src=x" in outside
    assert not re.search(r"<(?:script|link|img)[^>]*\s(?:src|href)=", page[: page.index("plotly")])
    assert '<script src="http' not in page
    assert "In words" in page
    for criterion in ("Diversity", "Directness"):
        assert f"<h2>{criterion}</h2>" in page
    assert page.count("plotly.js v") == 1
    # Labels inside figures are escaped for the drawing library, too.
    drawn = "".join(re.findall(r"Plotly\.newPlot\(.*?\)\s*}", page, flags=re.DOTALL))
    assert "<img src=x" not in drawn

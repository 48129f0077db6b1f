"""Batches on a real corpus: nothing is judged twice, failures are rows, results are in words."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sensemaking.backends.extractive.claim_splitter import ExtractiveClaimSplitter
from sensemaking.backends.extractive.judge import ExtractiveJudge
from sensemaking.config import HierarchySettings
from sensemaking.errors import (
    BudgetReached,
    ConfigError,
    InputError,
    ModelError,
    NotBuilt,
    NotFound,
    RunStopped,
)
from sensemaking.evaluation.conditions import make_batch, parse_conditions
from sensemaking.pipeline.evaluated import answer_of, batches_of, read_findings
from sensemaking.pipeline.evaluating import Evaluators, estimate_batch, evaluate
from sensemaking.pipeline.library import Library
from sensemaking.ports import Verdict
from sensemaking.types import EvaluationReady, EvaluationResult, Question, QuestionSet, Skipped
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS
from tests.evaluate_killed import QUESTIONS as ASKED
from tests.evaluate_killed import SHORT, CountingJudge

ROOT = Path(__file__).resolve().parents[1]
SPLITTER = ExtractiveClaimSplitter()
SECONDS = 120
N_KILLS = 2


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    workspace = Workspace.open(folder)
    corpus = workspace.create("bridge")
    both = HierarchySettings(algorithms=("leiden", "rkh"))
    corpus.change_settings(corpus.settings.model_copy(update={"hierarchy": both}))
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    workspace.close()
    return folder


@pytest.fixture
def corpus(home: Path, tmp_path: Path) -> Iterator[Corpus]:
    shutil.copytree(home, tmp_path / "home")
    workspace = Workspace.open(tmp_path / "home")
    yield workspace.open_corpus("bridge")
    workspace.close()


class ScriptedJudge(CountingJudge):
    def __init__(self, rule, key: str = "scripted") -> None:
        super().__init__()
        self._rule = rule
        self.key = key

    def judge(self, question, answers, criterion, replicate=0) -> Verdict:
        super().judge(question, answers, criterion, replicate)
        return self._rule(answers)


def plan(questions=ASKED, methods=("leaf=global",), **more):
    return make_batch(
        "test",
        [Question(str(n), text) for n, text in enumerate(questions)],
        (*parse_conditions(methods), SHORT),
        criteria=more.pop("criteria", ("diversity",)),
        judges=more.pop("judges", ("scripted",)),
        **more,
    )


def run(corpus: Corpus, batch, *judges) -> tuple[EvaluationResult, list[Skipped]]:
    engine = corpus.engine
    tools = Evaluators(judges, SPLITTER)
    events = list(evaluate(engine, Library(engine.store), batch, tools))
    assert isinstance(events[-1], EvaluationReady)
    return events[-1].result, [one for one in events if isinstance(one, Skipped)]


def test_a_judge_that_prefers_the_first_gives_half_and_one_that_prefers_length_is_told(
    corpus: Corpus,
) -> None:
    first, _ = run(corpus, plan(), ScriptedJudge(lambda answers: Verdict(1, "first")))
    assert [one.win_rate for one in first.comparisons] == [50.0]
    longer = ScriptedJudge(
        lambda answers: Verdict(1 if len(answers[0]) > len(answers[1]) else 2, ""), "long"
    )
    batch = plan([f"{ASKED[n % 3]} And point {n}?" for n in range(12)], judges=("long",))
    second, _ = run(corpus, batch, longer)
    assert second.judges[0].longer_share == 1.0
    assert any("long chose the longer answer in 100 %" in one for one in second.summary)


def test_a_second_run_asks_nothing_and_a_larger_batch_only_what_is_new(corpus: Corpus) -> None:
    judge = CountingJudge()
    run(corpus, plan(), judge)
    n_first = len(judge.asked)
    assert n_first == len(set(judge.asked)) > 0
    result, _ = run(corpus, plan(), judge)
    assert len(judge.asked) == n_first
    more = plan(methods=("leaf=global", "core=global:rkh:leaf"))
    run(corpus, more, judge)
    assert len(judge.asked) == len(set(judge.asked))
    store = corpus.engine.store
    assert read_findings(store, plan().id).result == result
    assert {one.id for one in batches_of(store)} == {plan().id, more.id}
    row = read_findings(store, plan().id).answers["0", "leaf"]
    assert answer_of(store, row.answer_id).question == ASKED[0]


def test_a_batch_stopped_at_any_event_goes_on_and_repeats_no_verdict(corpus: Corpus) -> None:
    judge, engine = CountingJudge(), corpus.engine
    batch = plan(criteria=("diversity", "directness"), replicates=2)
    library, tools = Library(engine.store), Evaluators((judge,), SPLITTER)
    for stop_at in (3, 5, 9, 9):
        events = evaluate(engine, library, batch, tools)
        for _ in range(stop_at):
            assert not isinstance(next(events), EvaluationReady)
        events.close()
        left = estimate_batch(engine, library, batch, tools)
        assert 0 <= left.n_answers_done <= left.n_answers
    result, _ = run(corpus, batch, judge)
    store = corpus.engine.store
    kept = read_findings(store, batch.id)
    assert kept.result == result
    done = estimate_batch(engine, library, batch, tools)
    assert done.n_answers_done == done.n_answers
    assert done.n_judgements_done == done.n_judgements
    assert (done.n_windows, done.n_tokens) == (0, 0)


def killed(home: Path, *event: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.evaluate_killed", str(home), "bridge", *map(str, event)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_killed_batch_repeats_no_kept_verdict_and_ends_the_same(
    home: Path, tmp_path: Path
) -> None:
    shutil.copytree(home, tmp_path / "whole")
    whole = json.loads(killed(tmp_path / "whole").stdout)
    assert whole["asked"] == whole["distinct"] == whole["kept"]
    shutil.copytree(home, tmp_path / "home")
    moments = sorted(random.Random(11).sample(range(2, whole["events"]), N_KILLS))
    for event in moments:
        ended = killed(tmp_path / "home", event)
        assert ended.returncode in (-signal.SIGKILL, 0), ended.stderr
    last = json.loads(killed(tmp_path / "home").stdout)
    assert last["before"] + last["asked"] == last["kept"] == whole["kept"]
    assert last["digest"] == whole["digest"]


def test_hierarchies_that_are_missing_are_made_first_and_leave_the_corpus_as_it_is(
    corpus: Corpus,
) -> None:
    evaluations, library = corpus.evaluations, Library(corpus.engine.store)
    before = {key: library.reports(key) for key in library.hierarchy_keys()}
    words = ["A=global:m2hc:leaf", *(f"R{n}=global:m2hc-rrtc{n}:leaf" for n in (80, 0))]
    conditions = parse_conditions([*words, "L=global"])
    questions = QuestionSet("few", tuple(Question(str(n), one) for n, one in enumerate(ASKED)))
    batch = evaluations.plan(questions, conditions, ["extractive"], criteria=["diversity"])
    assert evaluations.estimate(batch, ["extractive"]).n_hierarchies == 3
    events = list(evaluations.run(batch, ["extractive"]))
    assert isinstance(events[-1], EvaluationReady)
    assert [one.n_answers for one in events[-1].result.conditions] == [3, 3, 3, 3]
    assert evaluations.estimate(batch, ["extractive"]).n_hierarchies == 0
    assert {key: library.reports(key) for key in before} == before
    whole, none = library.hierarchy("general.m2hc"), library.hierarchy("general.m2hc-rrtc0")
    assert whole.communities == none.communities
    tokens = {
        key: sum(one.n_tokens for one in library.reports(f"general.{key}").values())
        for key in ("m2hc", "m2hc-rrtc0")
    }
    assert tokens["m2hc-rrtc0"] < tokens["m2hc"]
    with pytest.raises(NotBuilt, match="rrtc200"):
        run(corpus, plan(methods=("global", "B=global:m2hc-rrtc200")), CountingJudge())


def test_a_condition_may_name_who_answers(corpus: Corpus) -> None:
    evaluations = corpus.evaluations
    questions = QuestionSet("one", (Question("1", ASKED[0]),))
    same = parse_conditions(["global", "B=global?backend=extractive"])
    batch = evaluations.plan(questions, same, ["extractive"], criteria=["diversity"])
    result = list(evaluations.run(batch, ["extractive"]))[-1].result
    assert result.comparisons[0].ties == 1  # the same backend gives the same answer
    model = evaluations.plan(
        questions, parse_conditions(["global", "B=global?backend=llm"]), ["extractive"]
    )
    with pytest.raises(ConfigError):
        list(evaluations.run(model, ["extractive"]))


def test_a_build_of_an_older_version_is_told_and_reports_still_answer(corpus: Corpus) -> None:
    store = corpus.engine.store
    store.point({"chunks": "", "seen": ""})
    with pytest.raises(NotBuilt, match="older version"):
        run(corpus, plan(methods=("leaf=global", "SS=vector")), CountingJudge())
    result, _ = run(corpus, plan(), CountingJudge())
    assert result.conditions[0].n_answers == len(ASKED)
    with pytest.raises(NotBuilt, match="older version"):
        corpus.evaluations.searches.find("bm25", "wall", 3)


def test_a_method_that_fails_on_one_question_is_a_row(corpus: Corpus) -> None:
    questions = (*ASKED, "x" * 20_001)
    result, skipped = run(corpus, plan(questions), ScriptedJudge(lambda _: Verdict(0, "same")))
    assert skipped
    assert [one.n_failed for one in result.conditions] == [1, 1]
    assert [one.n_answers for one in result.conditions] == [3, 3]
    assert all("20,001" in one.reason for one in skipped)
    assert result.comparisons[0].n_missing == 1
    assert any("failed on 1 of 4" in one for one in result.summary)


def test_a_judge_that_fails_is_asked_again_by_the_next_run(corpus: Corpus) -> None:
    failures = iter([True, False] * 100)

    def half(answers) -> Verdict:
        if next(failures):
            raise ModelError("the reply is nothing")
        return Verdict(1, "first")

    result, skipped = run(corpus, plan(), ScriptedJudge(half))
    assert skipped
    assert all(one.retriable and one.stage == "judge" for one in skipped)
    assert all(one.win_rate in (50.0, None) for one in result.comparisons)
    again, skipped = run(corpus, plan(), ScriptedJudge(lambda _: Verdict(1, "first")))
    assert not skipped
    assert again.judges[0].n_missing == 0
    assert again.comparisons[0].win_rate == 50.0


def test_a_budget_that_is_reached_pauses_the_batch_and_keeps_what_is_there(corpus: Corpus) -> None:
    spent = iter(range(100))

    def dear(answers) -> Verdict:
        if next(spent) >= 3:
            raise BudgetReached("The next call might cross 1 dollar.")
        return Verdict(0, "same")

    batch = plan(criteria=("diversity", "directness"))
    with pytest.raises(BudgetReached):
        run(corpus, batch, ScriptedJudge(dear))
    judge = ScriptedJudge(lambda _: Verdict(0, "same"))
    result, _ = run(corpus, batch, judge)
    assert result.judges[0].n_missing == 0
    assert len(judge.asked) == len(set(judge.asked))


def test_a_stop_ends_the_run_between_questions(corpus: Corpus) -> None:
    engine = replace(corpus.engine, is_stopping=lambda: True)
    tools = Evaluators((CountingJudge(),), SPLITTER)
    with pytest.raises(RunStopped):
        list(evaluate(engine, Library(engine.store), plan(), tools))


def test_a_job_is_stopped_found_again_and_goes_on(corpus: Corpus) -> None:
    evaluations = corpus.evaluations
    questions = QuestionSet(
        "many", tuple(Question(str(n), f"{ASKED[n % 3]} {n}") for n in range(9))
    )
    conditions = evaluations.conditions()[:3]
    batch = evaluations.plan(questions, conditions, ["extractive"])
    evaluations.start(batch, ["extractive"])
    evaluations.stop(batch.id)
    stopped = evaluations.wait(batch.id, SECONDS)
    assert stopped is not None
    assert stopped.status in ("stopped", "done")
    n_rows = len(evaluations.findings(batch.id).answers)
    evaluations.start(batch, ["extractive"])
    done = evaluations.wait(batch.id, SECONDS)
    assert done is not None
    assert done.status == "done", done.error
    assert evaluations.job(batch.id) == done
    found = evaluations.findings(batch.id)
    assert n_rows <= len(found.answers) == 9 * len(conditions)
    assert found.result.judges[0].n_missing == 0


def test_a_judge_without_a_model_is_refused_before_any_work(corpus: Corpus) -> None:
    evaluations = corpus.evaluations
    questions = QuestionSet("one", (Question("1", ASKED[0]),))
    with pytest.raises(ConfigError, match="model"):
        evaluations.plan(questions, evaluations.conditions()[:2], ["llm"])
    with pytest.raises(InputError, match="criterion"):
        evaluations.plan(
            questions, evaluations.conditions()[:2], ["extractive"], criteria=["beauty"]
        )


def test_what_cannot_be_run_at_all_is_said_before_any_work(corpus: Corpus) -> None:
    judge = CountingJudge()
    with pytest.raises(InputError, match="no method"):
        run(corpus, plan(methods=("global", "B=guess")), judge)
    with pytest.raises(NotBuilt, match="mrc"):
        run(corpus, plan(methods=("global", "B=global:mrc")), judge)
    with pytest.raises(InputError, match="judged by"):
        run(corpus, plan(judges=("another",)), judge)
    assert judge.asked == []
    with pytest.raises(NotFound):
        read_findings(corpus.engine.store, "nothing")


def test_identical_conditions_tie_without_asking_anybody(corpus: Corpus) -> None:
    judge = CountingJudge()
    batch = plan(methods=("one=global", "two=global:general.leiden:leaf"), baseline="one")
    batch = replace(batch, pairs=(("one", "two"),))
    result, _ = run(corpus, batch, judge)
    assert judge.asked == []
    assert result.comparisons[0].ties == len(ASKED)
    left = estimate_batch(
        corpus.engine, Library(corpus.engine.store), batch, Evaluators((judge,), SPLITTER)
    )
    assert left.n_judgements_done == left.n_judgements


def test_the_extractive_judge_measures_claims_and_faithfulness_without_a_key(
    corpus: Corpus,
) -> None:
    judge = ExtractiveJudge()
    batch = plan(
        methods=("leaf=global", "core=global:rkh:0"),
        criteria=("comprehensiveness", "diversity", "empowerment", "directness"),
        judges=(judge.key,),
    )
    result, skipped = run(corpus, batch, judge)
    assert not skipped
    for one in result.conditions:
        assert one.claims > 0
        assert one.faithfulness.supported == 1.0
        assert one.faithfulness.resolved == 1.0
        assert one.faithfulness.facts_found == 1.0
    assert any("measurements, not opinions" in one for one in result.summary)
    differential = plan(
        methods=("leaf=global", "core=global:rkh:0"), judges=(judge.key,), is_differential=True
    )
    assert run(corpus, differential, judge)[0].comparisons[0].n == len(ASKED)

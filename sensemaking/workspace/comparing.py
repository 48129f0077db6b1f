"""Two to four answers to one question side by side: claims, verdicts of a judge and of a person.

Answers come in; aligned claims, verdicts per criterion and files go out. Verdicts are kept under
the texts they are about, a person's like a judge's; a judge that waits for a model works as a job.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Literal

import msgspec

from sensemaking.config import Settings
from sensemaking.errors import Paused, SensemakingError
from sensemaking.evaluation.alignment import align_claims, without_common
from sensemaking.evaluation.claims import attach_claims, readable_text
from sensemaking.evaluation.judging import (
    CRITERIA,
    Couple,
    Duel,
    is_same,
    make_couples,
    record_verdict,
    score_pair,
    tell_reasons,
)
from sensemaking.jobs import Jobs
from sensemaking.pipeline.engine import Engine, metered
from sensemaking.pipeline.evaluated import judgements_scope
from sensemaking.pipeline.fan_out import fan_out
from sensemaking.pipeline.library import Library
from sensemaking.ports import ClaimSplitter, Criterion, Judge, QuestionWriter
from sensemaking.types import (
    AlignedClaim,
    Answer,
    JobSnapshot,
    Judgement,
    Progress,
    Skipped,
    Spent,
    digest,
)

JudgeName = Literal["extractive", "llm"]
JUDGES: tuple[JudgeName, ...] = ("extractive", "llm")
OWN = "own"
"""The judge that is a person."""

EngineOfRun = Callable[[Callable[[], bool]], AbstractContextManager[Engine]]
"""Gives the engine of one run; the argument says whether the run is to stop."""
Winner = Literal[0, 1, 2]


@dataclass(frozen=True, slots=True)
class Helpers:
    """Who judges, splits claims and writes questions under one name."""

    judge: Judge
    splitter: ClaimSplitter
    writer: QuestionWriter


HelpersOf = Callable[[JudgeName, Engine], Helpers]


@dataclass(frozen=True, slots=True)
class Hands:
    """What the evaluations of a corpus work with.

    `with_backend` gives an engine another backend; `settings` are those of builds.
    """

    engine_of_run: EngineOfRun
    helpers_of: HelpersOf
    with_backend: Callable[[Engine, str], Engine]
    settings: Callable[[], Settings]


def never() -> bool:
    """Return that a run is not to stop."""
    return False


@dataclass(frozen=True, slots=True)
class SplitAnswer:
    """An answer with its claims; `sentences` are the places of the sentences they come from.

    A place is -1 where no sentence shares a word with the claim.
    """

    answer: Answer
    claims: tuple[str, ...]
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What a judge says of two answers by one criterion; None where it says nothing.

    `score` is 100, 50 or 0 for the first answer, or between where orders differ. `by_order` are
    the winners when the first answer is read first and when it is read second, None where a verdict
    is missing or could not be read.
    """

    criterion: Criterion
    score: float | None
    winner: Winner | None
    reasons: tuple[str, ...]
    by_order: tuple[Winner | None, Winner | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two answers, who judges them, and whether only by what they do not share."""

    first: Answer
    second: Answer
    judge: JudgeName = "extractive"
    is_differential: bool = False


class Comparing:
    """What is done with answers side by side in one corpus."""

    def __init__(self, library: Library, hands: Hands, jobs: Jobs) -> None:
        self._library = library
        self._hands = hands
        self._jobs = jobs

    def split(self, answer: Answer, splitter: JudgeName = "extractive") -> SplitAnswer:
        """Return an answer with its claims."""
        with self._hands.engine_of_run(never) as engine:
            claims = self._hands.helpers_of(splitter, engine).splitter.split(readable_text(answer))
        places = attach_claims(claims, [one.text for one in answer.sentences])
        return SplitAnswer(answer, claims, places)

    def align(self, first: SplitAnswer, second: SplitAnswer) -> tuple[AlignedClaim, ...]:
        """Return the claims of two answers side by side."""
        return align_claims(first.claims, second.claims)

    # A judge's verdicts

    def judge(self, meeting: Meeting) -> tuple[PairVerdict, ...]:
        """Return a verdict per criterion, from both orders; each is kept when it is there.

        Raises
        ------
        ConfigError
            When a model is asked for and there is none.
        ModelError, Paused
            When the model fails; what was judged is kept.
        """
        for event in self._judging(meeting, never):
            if isinstance(event, Skipped):
                raise SensemakingError(event.reason)
        return self.verdicts(meeting)

    def verdicts(self, meeting: Meeting) -> tuple[PairVerdict, ...]:
        """Return the verdicts that are kept, per criterion.

        Raises
        ------
        ConfigError
            When a model is asked for and there is none.
        """
        with self._hands.engine_of_run(never) as engine:
            key = self._hands.helpers_of(meeting.judge, engine).judge.key
        texts, scope = self._texts(meeting), judgements_scope(key)
        found = []
        for criterion, couple in self._couples(key, meeting, texts):
            if couple is None:
                found.append(PairVerdict(criterion, 50.0, 0, ("The answers are equal.",), (0, 0)))
                continue
            kept = {
                duel.id: one
                for duel in (couple.forward, couple.backward)
                if (one := self._library.store.get(Judgement, scope, duel.id)) is not None
            }
            score, winner, _, _ = score_pair([[couple]], kept, "mean")
            reasons = tell_reasons([couple], kept)
            orders = (_told(kept.get(couple.forward.id)), _told(kept.get(couple.backward.id)))
            turned: Winner | None = orders[1] if not orders[1] else 2 if orders[1] == 1 else 1
            found.append(PairVerdict(criterion, score, winner, reasons, (orders[0], turned)))
        return tuple(found)

    def start_judging(self, meeting: Meeting) -> str:
        """Ask a judge in the background for what is missing; returns the id of the job."""
        key = _job_id(meeting)
        self._jobs.start_batch(key, partial(self._judging, meeting))
        return key

    def judging(self, meeting: Meeting) -> JobSnapshot | None:
        """Return how far a judge is with two answers, None when it was never asked."""
        return self._jobs.batch(_job_id(meeting))

    def wait_for_judge(self, meeting: Meeting, seconds: float) -> JobSnapshot | None:
        """Wait for a judge of this program to end, or for so many seconds."""
        return self._jobs.join_batch(_job_id(meeting), seconds)

    def _judging(
        self, meeting: Meeting, is_stopping: Callable[[], bool]
    ) -> Generator[Progress | Skipped | Spent, None, None]:
        with self._hands.engine_of_run(is_stopping) as engine:
            yield from metered(engine, self._ask_judge(engine, meeting))

    def _ask_judge(
        self, engine: Engine, meeting: Meeting
    ) -> Generator[Progress | Skipped | Spent, None, None]:
        judge = self._hands.helpers_of(meeting.judge, engine).judge
        scope, store = judgements_scope(judge.key), self._library.store
        couples = [
            couple
            for _, couple in self._couples(judge.key, meeting, self._texts(meeting))
            if couple is not None
        ]
        duels = [duel for couple in couples for duel in (couple.forward, couple.backward)]
        there = set(store.ids(Judgement, scope))
        missing = [one for one in duels if one.id not in there]
        done = len(duels) - len(missing)
        for duel, verdict in fan_out(engine, engine.calls, partial(_ask, judge), missing):
            if isinstance(verdict, str):
                yield Skipped("judge", duel.criterion.name, verdict, retriable=True)
                continue
            store.add(scope, [verdict])
            done += 1
            yield Progress("judge", done, len(duels), duel.criterion.name)

    def _texts(self, meeting: Meeting) -> tuple[str, str]:
        if not meeting.is_differential:
            return readable_text(meeting.first), readable_text(meeting.second)
        claims = [self.split(one).claims for one in (meeting.first, meeting.second)]
        one, other = without_common(claims[0], claims[1])
        return "\n".join(one), "\n".join(other)

    @staticmethod
    def _couples(
        judge: str, meeting: Meeting, texts: tuple[str, str]
    ) -> Iterator[tuple[Criterion, Couple | None]]:
        for criterion in CRITERIA.values():
            same = is_same(texts)
            found = list(make_couples(judge, meeting.first.question, texts, criterion, 1))
            yield criterion, None if same else found[0]

    # A person's verdicts

    def is_swapped(self, first: Answer, second: Answer) -> bool:
        """Return whether a blind reader is shown the second answer first: fixed by the texts."""
        return int(digest("blind", first.id, second.id), 16) % 2 == 1

    def keep_own(self, first: Answer, second: Answer, winners: dict[str, Winner]) -> None:
        """Keep a person's verdicts, by criterion; winner 1 is the first answer."""
        kept = [
            Judgement(_own_id(first, second, name), winner, "by hand")
            for name, winner in sorted(winners.items())
        ]
        self._library.store.add(judgements_scope(OWN), kept)

    def own(self, first: Answer, second: Answer) -> dict[str, Winner]:
        """Return the verdicts that a person gave on two answers, by criterion."""
        found: dict[str, Winner] = {}
        for name in CRITERIA:
            key = _own_id(first, second, name)
            kept = self._library.store.get(Judgement, judgements_scope(OWN), key)
            if kept is not None:
                found[name] = kept.winner
        return found

    def to_json(self, first: Answer, second: Answer, judges: Sequence[JudgeName] = JUDGES) -> str:
        """Return two answers, their claims and all verdicts that are kept as one JSON object."""
        one, other = self.split(first), self.split(second)
        whole = {
            "question": first.question,
            "answers": [
                {
                    "id": each.answer.id,
                    "method": each.answer.method,
                    "settings": dict(each.answer.settings),
                    "text": readable_text(each.answer),
                    "claims": list(each.claims),
                    "seconds": each.answer.seconds,
                    "tokens": each.answer.n_tokens,
                }
                for each in (one, other)
            ],
            "claims": msgspec.to_builtins(self.align(one, other)),
            "verdicts": [
                {
                    "judge": name,
                    "differential": is_differential,
                    "criterion": each.criterion.name,
                    "definition": each.criterion.definition,
                    "score_of_first": each.score,
                    "reasons": list(each.reasons),
                }
                for name in judges
                for is_differential in (False, True)
                for each in self._kept(Meeting(first, second, name, is_differential))
                if each.score is not None
            ],
            "own_verdicts": self.own(first, second),
        }
        return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"

    def _kept(self, meeting: Meeting) -> tuple[PairVerdict, ...]:
        try:
            return self.verdicts(meeting)
        except SensemakingError:
            return ()  # a judge that is not set up has said nothing


def _job_id(meeting: Meeting) -> str:
    first, second = meeting.first.id, meeting.second.id
    return digest("compare", meeting.judge, int(meeting.is_differential), first, second)


def _ask(judge: Judge, duel: Duel) -> Judgement | str:
    """Return the verdict on a duel, or the reason why there is none."""
    try:
        verdict = judge.judge(duel.question, duel.texts, duel.criterion, duel.replicate)
    except Paused:
        raise
    except SensemakingError as error:
        return str(error) or type(error).__name__
    return record_verdict(duel, verdict)


def _told(verdict: Judgement | None) -> Winner | None:
    return verdict.winner if verdict is not None and verdict.is_parsed else None


def _own_id(first: Answer, second: Answer, criterion: str) -> str:
    return digest(OWN, first.question, criterion, readable_text(first), readable_text(second))

"""Two to four answers to one question side by side: claims, verdicts of a judge and of a person.

Answers come in; aligned claims, verdicts per criterion and files go out. A person's verdicts are
kept like a judge's, under the texts they are about.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

import msgspec

from sensemaking.evaluation.alignment import align_claims
from sensemaking.evaluation.claims import attach_claims, readable_text
from sensemaking.evaluation.judging import (
    CRITERIA,
    is_same,
    make_couples,
    record_verdict,
    score_pair,
)
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.evaluated import judgements_scope
from sensemaking.pipeline.library import Library
from sensemaking.ports import ClaimSplitter, Criterion, Judge, QuestionWriter
from sensemaking.types import AlignedClaim, Answer, Judgement, digest

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

    `score` is 100, 50 or 0 for the first answer, or between where orders or replicates differ.
    """

    criterion: Criterion
    score: float | None
    winner: Winner | None
    reasons: tuple[str, ...]


class Comparing:
    """What is done with answers side by side in one corpus."""

    def __init__(self, library: Library, engine_of_run: EngineOfRun, helpers_of: HelpersOf) -> None:
        self._library = library
        self._engine_of_run = engine_of_run
        self._helpers_of = helpers_of

    def split(self, answer: Answer, splitter: JudgeName = "extractive") -> SplitAnswer:
        """Return an answer with its claims."""
        with self._engine_of_run(never) as engine:
            claims = self._helpers_of(splitter, engine).splitter.split(readable_text(answer))
        places = attach_claims(claims, [one.text for one in answer.sentences])
        return SplitAnswer(answer, claims, places)

    def align(self, first: SplitAnswer, second: SplitAnswer) -> tuple[AlignedClaim, ...]:
        """Return the claims of two answers side by side."""
        return align_claims(first.claims, second.claims)

    def judge(
        self, first: Answer, second: Answer, judge: JudgeName = "extractive"
    ) -> tuple[PairVerdict, ...]:
        """Return a verdict per criterion, from both orders; each is kept when it is there.

        Raises
        ------
        ConfigError
            When a model is asked for and there is none.
        ModelError, Paused
            When the model fails; what was judged is kept.
        """
        question, texts = first.question, (readable_text(first), readable_text(second))
        with self._engine_of_run(never) as engine:
            one = self._helpers_of(judge, engine).judge
            scope = judgements_scope(one.key)
            found = []
            for criterion in CRITERIA.values():
                if is_same(texts):
                    found.append(PairVerdict(criterion, 50.0, 0, ("The answers are equal.",)))
                    continue
                couples = list(make_couples(one.key, question, texts, criterion, 1))
                judged: dict[str, Judgement] = {}
                for duel in (couples[0].forward, couples[0].backward):
                    kept = self._library.store.get(Judgement, scope, duel.id)
                    if kept is None:
                        verdict = one.judge(duel.question, duel.texts, criterion, duel.replicate)
                        kept = record_verdict(duel, verdict)
                        self._library.store.add(scope, [kept])
                    judged[duel.id] = kept
                score, winner, _, _ = score_pair([couples], judged, "mean")
                reasons = tuple(dict.fromkeys(each.reason for each in judged.values()))
                found.append(PairVerdict(criterion, score, winner, reasons))
        return tuple(found)

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

    def to_json(self, first: Answer, second: Answer, judge: JudgeName = "extractive") -> str:
        """Return two answers, their claims and all verdicts as one JSON object."""
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
                    "criterion": each.criterion.name,
                    "definition": each.criterion.definition,
                    "score_of_first": each.score,
                    "reasons": list(each.reasons),
                }
                for each in self.judge(first, second, judge)
            ],
            "own_verdicts": self.own(first, second),
        }
        return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _own_id(first: Answer, second: Answer, criterion: str) -> str:
    return digest(OWN, first.question, criterion, readable_text(first), readable_text(second))

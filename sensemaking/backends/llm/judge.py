"""Which of two answers is better by one criterion, by a language model.

Notes
-----
The judge knows answers by number only. A verdict that cannot be read is none: `is_parsed` says so,
and it is not a tie.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BeforeValidator

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import Line, Shape
from sensemaking.errors import ReplyUnreadable
from sensemaking.ports import Criterion, Message, Verdict
from sensemaking.prompts import render, template

PROMPTS = ("judge", "judge_answers")
Winner = Literal[0, 1, 2]

_WINNER = re.compile(r"(?:answer|response)?\s*#?([012])\.?", re.IGNORECASE)
_TIE = re.compile(r"(?:a )?(?:tie|draw|equal|same|neither|both|none)", re.IGNORECASE)


def _winner(value: object) -> Winner:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = f"{value:g}"
    if isinstance(value, str):
        text = value.strip()[:40]
        if _TIE.fullmatch(text):
            return 0
        found = _WINNER.fullmatch(text)
        if found:
            return 1 if found[1] == "1" else 2 if found[1] == "2" else 0
    raise ValueError("the winner is 1, 2 or 0")


class _Verdict(Shape):
    reason: Line = ""
    winner: Annotated[Winner, BeforeValidator(_winner)]


@dataclass(frozen=True, slots=True)
class LlmJudge:
    """Compares answers with a model."""

    asker: Asker

    @property
    def key(self) -> str:
        """Return the model and the prompts."""
        return self.asker.key("judge", PROMPTS)

    def judge(
        self, question: str, answers: tuple[str, str], criterion: Criterion, replicate: int = 0
    ) -> Verdict:
        """Compare two answers in the order given.

        Raises
        ------
        ModelError
            When the model gives no reply at all; one that cannot be read is a verdict not parsed.
        """
        user = render(
            "judge_answers",
            question=mark("QUESTION", question),
            first=mark("ANSWER 1", answers[0]),
            second=mark("ANSWER 2", answers[1]),
            criterion=criterion.name,
            definition=criterion.definition,
        )
        system = render("judge", data_rule=template("data_rule"))
        messages = [Message("system", system), Message("user", user)]
        subject = f"verdict on {criterion.name}"
        try:
            verdict = self.asker.ask(messages, Form(_Verdict), subject, replicate=replicate).value
        except ReplyUnreadable as error:
            self.asker.tally.add("verdicts not read", subject=subject)
            return Verdict(0, str(error), is_parsed=False)
        return Verdict(verdict.winner, verdict.reason)

"""Questions about a whole corpus, by a language model: personas, their tasks, questions for each.

One call for personas and tasks, then one per persona for the questions, so that no reply is long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.claims import _Claim as _Line
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import DropBad, Shape, Text
from sensemaking.errors import ModelError
from sensemaking.ports import Message, PersonaDraft
from sensemaking.prompts import render, template

PROMPTS = ("personas", "questions")


class _Persona(Shape):
    persona: Text
    tasks: Annotated[list[_Line], DropBad.before(_Line)]


class _Personas(Shape):
    users: Annotated[list[_Persona], DropBad.before(_Persona)]


class _Task(Shape):
    task: Text
    questions: Annotated[list[_Line], DropBad.before(_Line)]


class _Tasks(Shape):
    tasks: Annotated[list[_Task], DropBad.before(_Task)]


@dataclass(frozen=True, slots=True)
class LlmQuestionWriter:
    """Invents questions with a model."""

    asker: Asker

    @property
    def key(self) -> str:
        """Return the model and the prompts."""
        return self.asker.key("questions", PROMPTS)

    def write(self, description: str, counts: tuple[int, int, int]) -> tuple[PersonaDraft, ...]:
        """Return `counts` = (personas, tasks each, questions a task) as far as they came.

        Raises
        ------
        ModelError
            When there are no personas, or no questions for any of them. A persona whose questions
            cannot be had is left out and counted.
        """
        n_personas, n_tasks, n_questions = counts
        system = render(
            "personas",
            data_rule=template("data_rule"),
            personas=str(n_personas),
            tasks=str(n_tasks),
        )
        messages = [Message("system", system), Message("user", mark("CORPUS", description))]
        form = Form(_Personas, lambda one: "" if one.users else "no user was named")
        found: list[PersonaDraft] = []
        failure: ModelError | None = None
        for one in self.asker.ask(messages, form, "personas").value.users[:n_personas]:
            tasks = [task.text for task in one.tasks][:n_tasks]
            try:
                found.append(self._questions(description, one.persona, tasks, n_questions))
            except ModelError as error:
                failure = error
                self.asker.tally.add("personas without questions", subject=one.persona[:60])
        if not found and failure is not None:
            raise failure
        return tuple(found)

    def _questions(
        self, description: str, persona: str, tasks: Sequence[str], n_questions: int
    ) -> PersonaDraft:
        system = render("questions", data_rule=template("data_rule"), questions=str(n_questions))
        who = f"{persona}\n" + "\n".join(f"{at}. {one}" for at, one in enumerate(tasks, start=1))
        user = mark("CORPUS", description) + "\n\n" + mark("USER", who)
        form = Form(_Tasks, lambda one: "" if one.tasks else "no question was written")
        messages = [Message("system", system), Message("user", user)]
        written = self.asker.ask(messages, form, "questions").value.tasks
        return PersonaDraft(
            persona,
            tuple(
                (one.task, tuple(question.text for question in one.questions)[:n_questions])
                for one in written[: len(tasks)]
                if one.questions
            ),
        )

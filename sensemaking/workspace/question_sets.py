"""Question sets of one corpus: read, written, changed, kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sensemaking.config import AskSettings
from sensemaking.errors import InputError, NotFound
from sensemaking.evaluation.questions import (
    Format,
    describe_corpus,
    questions_of_personas,
    read_questions,
    revise_questions,
    write_questions,
)
from sensemaking.pipeline.evaluated import drop_questions, keep_questions, question_sets_of
from sensemaking.pipeline.library import Library
from sensemaking.types import QuestionSet
from sensemaking.workspace.comparing import Hands, JudgeName, never

__all__ = ["Format", "QuestionSets"]

MAX_TOPICS, MAX_NAMES = 24, 12


class QuestionSets:
    """The question sets of one corpus."""

    def __init__(self, title: Callable[[], str], library: Library, hands: Hands) -> None:
        self._title = title
        self._library = library
        self._hands = hands

    def all(self) -> tuple[QuestionSet, ...]:
        """Return the kept question sets, by name."""
        return tuple(question_sets_of(self._library.store))

    def get(self, name: str) -> QuestionSet:
        """Return a question set by its name; raises `NotFound`."""
        for one in self.all():
            if one.id == name:
                return one
        raise NotFound(f"There is no question set “{name}” in this corpus.")

    def read(self, name: str, data: bytes) -> QuestionSet:
        """Return the questions of a file, kept; raises `InputError` saying what is wrong."""
        found = read_questions(name, data)
        self.keep(found)
        return found

    def to_file(self, questions: QuestionSet, form: Format = "jsonl") -> str:
        """Return a question set as a file."""
        return write_questions(questions.questions, form)

    def keep(self, questions: QuestionSet) -> QuestionSet:
        """Keep a question set under its name, in place of one of that name; returns it."""
        keep_questions(self._library.store, questions)
        return questions

    def drop(self, name: str) -> None:
        """Forget a question set; evaluations that were made with it stay."""
        drop_questions(self._library.store, name)

    def rename(self, name: str, new: str) -> QuestionSet:
        """Return a question set under another name, kept.

        Raises
        ------
        InputError
            When the new name is empty or taken.
        NotFound
            When there is no set of the old name.
        """
        new = " ".join(new.split())
        if not new or any(one.id == new for one in self.all()):
            raise InputError(f"“{new}” cannot be the name: it is empty, or another set has it.")
        renamed = replace(self.get(name), id=new)
        self.keep(renamed)
        self.drop(name)
        return renamed

    def revise(
        self, name: str, start: int, stop: int, rows: Sequence[Mapping[str, str]]
    ) -> QuestionSet:
        """Return a set whose questions from `start` to `stop` (from 0) are others now, kept.

        Raises
        ------
        InputError
            When a row cannot be used, or nothing would be left.
        NotFound
            When there is no set of that name.
        """
        revised = revise_questions(self.get(name), start, stop, rows)
        self.keep(revised)
        return revised

    def write(self, name: str, writer: JudgeName, counts: tuple[int, int, int]) -> QuestionSet:
        """Return questions about the corpus: `counts` personas, tasks each, questions a task.

        Raises
        ------
        InputError
            When a count is not positive.
        NotBuilt
            When the corpus has no reports yet.
        """
        if min(counts) < 1:
            raise InputError("Personas, tasks and questions are each at least 1.")
        with self._hands.engine_of_run(never) as engine:
            drafts = self._hands.helpers_of(writer, engine).writer.write(self.description(), counts)
        return questions_of_personas(name, drafts)

    def description(self) -> str:
        """Return what question writers are told: titles of large communities, frequent names."""
        keys = self._library.hierarchy_keys()
        key = keys[0] if keys else AskSettings().hierarchy
        hierarchy, reports = self._library.hierarchy(key), self._library.reports(key)
        view = sorted(
            (one for one in hierarchy.leaves if one.id in reports),
            key=lambda one: (-reports[one.id].rating, -len(one.home_ids), one.id),
        )
        topics = [reports[one.id].title for one in view[:MAX_TOPICS]]
        graph = self._library.graph()
        degrees = graph.degrees
        ranked = sorted(graph.entities, key=lambda one: (-degrees[one.id], one.name))
        names = [one.name for one in ranked if one.kind != "concept"][:MAX_NAMES]
        return describe_corpus(self._title(), topics, names)

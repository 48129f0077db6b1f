"""How texts argue, by a language model: trees, relations between passages, a plan (Disco-RAG).

Notes
-----
The paper gives no formats; ours are in METHODS 4 of the README. A tree that fails the checks of
`trees` is asked for once more; then the sentences of the passage stand for it, which is counted.
Relations that cannot be had are none, and a plan that cannot be had has no step: both are counted,
and an answer is written without them. What ends a run is raised.
All passages go into one call for their relations: a pair that is not listed is unrelated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from pydantic import BeforeValidator

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import DropBad, Labels, Line, Shape, Text
from sensemaking.backends.llm.trees import (
    ListedTree,
    Number,
    make_units,
    read_relation,
    sentence_units,
)
from sensemaking.errors import ModelError
from sensemaking.ports import (
    DISCOURSE_RELATIONS,
    DiscourseUnit,
    Message,
    PassageRelation,
    PlanStep,
)
from sensemaking.prompts import render, template

PROMPTS = ("discourse_tree", "discourse_relations", "discourse_plan")
INSIDE_ONLY = ("Same-Unit", "Textual-Organization")
"""Relations that hold inside one text only."""
BETWEEN = tuple(one for one in DISCOURSE_RELATIONS if one not in INSIDE_ONLY)
MAX_STEPS = 12

_UNIT = re.compile(r"(\d{1,4})\s*[.:]\s*(\d{1,4})")

_M = TypeVar("_M", bound=Shape)
Tree = tuple[DiscourseUnit, ...]


def _joined(value: object) -> str:
    """Return references as one text, whether they were written as a list or not."""
    return " ".join(str(one)[:200] for one in (value if isinstance(value, list) else [value])[:200])


class _Relation(Shape):
    source: Number
    target: Number
    relation: Text


class _Relations(Shape):
    relations: Annotated[list[_Relation], DropBad.before(_Relation)]


class _Step(Shape):
    goal: Text
    passages: Labels = []
    use: Annotated[str, BeforeValidator(_joined)] = ""
    relation: Line = ""


class _Plan(Shape):
    steps: Annotated[list[_Step], DropBad.before(_Step)]


@dataclass(frozen=True, slots=True)
class LlmDiscourseParser:
    """Reads discourse with a model."""

    asker: Asker

    @property
    def key(self) -> str:
        """Return the model and the prompts."""
        return self.asker.key("discourse", PROMPTS)

    def parse(self, passage: str) -> Tree:
        """Return the units of a passage in order: they cover it, with one root and no cycle."""
        if not passage.strip():
            return ()

        def check(tree: ListedTree) -> str:
            try:
                make_units(passage, tree.edus)
            except ValueError as error:
                return str(error)
            return ""

        data = mark("PASSAGE", passage)
        try:
            tree = self._ask("discourse_tree", Form(ListedTree, check, most_bad=0.0), data)
        except ModelError:
            self.asker.tally.add("trees replaced by sentences", subject="discourse")
            return sentence_units(passage)
        return make_units(passage, tree.edus)

    def relate(self, passages: Sequence[str], trees: Sequence[Tree]) -> tuple[PassageRelation, ...]:
        """Return the related ordered pairs of passages; one passage has none, without a call."""
        if len(passages) < 2:
            return ()
        data = _render(passages, trees)
        found: dict[tuple[int, int], PassageRelation] = {}
        try:
            listed = self._ask("discourse_relations", Form(_Relations), data).relations
        except ModelError:
            self.asker.tally.add("relations between passages not had", subject="discourse")
            return ()
        for one in listed:
            relation = read_relation(one.relation, BETWEEN)
            ends = {one.source, one.target}
            if relation is None or len(ends) < 2 or not ends <= set(range(1, len(passages) + 1)):
                self.asker.tally.add("relations between nothing dropped", subject="discourse")
                continue
            pair = (one.source, one.target)
            found.setdefault(pair, PassageRelation(one.source, one.target, relation))
        return tuple(found[pair] for pair in sorted(found))

    def plan(
        self,
        question: str,
        passages: Sequence[str],
        trees: Sequence[Tree],
        relations: Sequence[PassageRelation],
    ) -> tuple[PlanStep, ...]:
        """Return how an answer should go about the question; no step when there is no plan."""
        lines = [f"{one.source} -> {one.target}: {one.relation}" for one in relations]
        data = "\n\n".join(
            (
                _render(passages, trees),
                mark("RELATIONS", "\n".join(lines) or "none"),
                mark("QUESTION", question),
            )
        )
        form = Form(_Plan, lambda one: "" if one.steps else "the plan has no step")
        try:
            steps = self._ask("discourse_plan", form, data).steps[:MAX_STEPS]
        except ModelError:
            self.asker.tally.add("plans not had", subject="discourse")
            return ()
        units = {f"{at}.{unit.number}" for at, tree in enumerate(trees, start=1) for unit in tree}
        return tuple(_step(one, len(passages), units) for one in steps)

    def _ask(self, prompt: str, form: Form[_M], data: str) -> _M:
        system = render(
            prompt,
            data_rule=template("data_rule"),
            relations=", ".join(DISCOURSE_RELATIONS if prompt == "discourse_tree" else BETWEEN),
        )
        messages = [Message("system", system), Message("user", data)]
        return self.asker.ask(messages, form, prompt.replace("_", ": ")).value


def _render(passages: Sequence[str], trees: Sequence[Tree]) -> str:
    """Return the passages as numbered units, each with its role, parent and relation."""
    blocks = []
    for at, (passage, tree) in enumerate(zip(passages, trees, strict=True), start=1):
        lines = [
            f"{at}.{one.number} ({one.role}, {one.relation} of {at}.{one.parent}) "
            if one.parent
            else f"{at}.{one.number} (N, root) "
            for one in tree
        ]
        texts = [" ".join(passage[one.start : one.end].split()) for one in tree]
        body = "\n".join(line + text for line, text in zip(lines, texts, strict=True))
        blocks.append(mark(f"PASSAGE {at}", body or passage))
    return "\n\n".join(blocks)


def _step(step: _Step, n_passages: int, units: set[str]) -> PlanStep:
    used = [f"{int(one)}.{int(other)}" for one, other in _UNIT.findall(step.use)]
    known = tuple(dict.fromkeys(one for one in used if one in units))
    named = [int(one) for one in step.passages if one.isdecimal()]
    named += [int(one.partition(".")[0]) for one in known]
    return PlanStep(
        goal=step.goal,
        passages=tuple(dict.fromkeys(one for one in named if 1 <= one <= n_passages)),
        units=known,
        relation=read_relation(step.relation, BETWEEN) or "",
    )

"""What a corpus is about, and where a question belongs, by a language model (ReTAG).

Texts, questions and topics come in; out go topics, a description of the corpus, the topic of a
question, and keywords.

Notes
-----
Topics of several batches of texts are one when their names are equal but for letter case, as in the
published lists; nothing is merged by meaning. A reply that names no given topic is no topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar

from pydantic import model_validator

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import DropBad, Line, Name, Shape, Text, clean
from sensemaking.context import pack_greedily, pack_in_order
from sensemaking.ports import Message, TopicChoice, TopicDraft
from sensemaking.prompts import render, template

PROMPTS = ("topics_mine", "topics_describe", "topics_classify", "topics_expand")
TEXT_TOKENS = 30
"""What the marks around one text cost."""
MAX_TEXTS_TOKENS = 8_000
MAX_ABOUT = 400
"""Characters of a topic's description that are read where not all topics fit into a prompt."""
MAX_KEYWORDS = 20

_M = TypeVar("_M", bound=Shape)


class _Topic(Shape):
    name: Name
    description: Line = ""

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the model wrote
        return {"name": value} if isinstance(value, str) else value


class _Topics(Shape):
    topics: Annotated[list[_Topic], DropBad.before(_Topic)]


class _Corpus(Shape):
    description: Text


class _Choice(Shape):
    topic: Line = ""
    runner_up: Line = ""
    reason: Line = ""


class _Keyword(Shape):
    word: Name

    @model_validator(mode="before")
    @classmethod
    def _from_word(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the model wrote
        return {"word": value} if isinstance(value, str) else value


class _Keywords(Shape):
    keywords: Annotated[list[_Keyword], DropBad.before(_Keyword)]


@dataclass(frozen=True, slots=True)
class LlmTopicAnalyst:
    """Mines, describes and classifies with a model. All methods raise `ModelError`."""

    asker: Asker

    @property
    def key(self) -> str:
        """Return the model and the prompts."""
        return self.asker.key("topics", PROMPTS)

    def mine(self, texts: Sequence[str]) -> tuple[TopicDraft, ...]:
        """Return the topics of texts, in the order in which they were first named."""
        sizes = [self.asker.tokenizer.count(one) + TEXT_TOKENS for one in texts]
        found: dict[str, TopicDraft] = {}
        for batch in pack_greedily(sizes, self._room("topics_mine")):
            data = "\n\n".join(mark("TEXT", texts[at]) for at in batch)
            form = Form(_Topics, lambda one: "" if one.topics else "no topic was named")
            for one in self._ask("topics_mine", form, data).topics:
                found.setdefault(one.name.casefold(), TopicDraft(one.name, one.description))
        return tuple(found.values())

    def describe(self, texts: Sequence[str]) -> str:
        """Return what kind of corpus the texts come from; as many as fit are read, the first."""
        sizes = (self.asker.tokenizer.count(one) + TEXT_TOKENS for one in texts)
        n = max(1, pack_in_order(sizes, self._room("topics_describe")))
        data = "\n\n".join(mark("TEXT", one) for one in texts[:n])
        return self._ask("topics_describe", Form(_Corpus), data).description

    def classify(
        self, question: str, topics: Sequence[TopicDraft], description: str
    ) -> TopicChoice:
        """Return the topic of a question; a reply that names no given topic is None.

        Notes
        -----
        More topics than one prompt has room for are read in parts, of long descriptions the
        beginning, and what was chosen of each part is chosen from once more.
        """
        if not topics:
            return TopicChoice(None, "There are no topics.", None)
        about = f"{mark('CORPUS', description)}\n\n{mark('QUESTION', question)}"
        prompts = template("topics_classify"), template("data_rule")
        count = self.asker.tokenizer.count
        room = self.asker.room(*prompts) - count(about) - 2 * TEXT_TOKENS
        if sum(count(_line(one)) for one in topics) > room:
            topics = [replace(one, description=one.description[:MAX_ABOUT]) for one in topics]
        choice = TopicChoice(None, "", None)
        left = topics
        while left:
            sizes = [count(_line(one)) for one in left]
            parts = pack_greedily(sizes, max(room, 2 * max(sizes)))
            choices = [
                self._classify_part(question, [left[at] for at in part], description)
                for part in parts
            ]
            chosen = {one.topic for one in choices if one.topic is not None}
            choice = next((one for one in choices if one.topic is not None), choices[0])
            if len(chosen) <= 1:
                break
            left = [one for one in left if one.name in chosen]
        return choice

    def _classify_part(
        self, question: str, topics: Sequence[TopicDraft], description: str
    ) -> TopicChoice:
        data = "\n\n".join(
            (
                mark("CORPUS", description),
                mark("TOPICS", "\n".join(map(_line, topics))),
                mark("QUESTION", question),
            )
        )
        choice = self._ask("topics_classify", Form(_Choice), data)
        names = {clean(one.name).casefold(): one.name for one in topics}
        chosen = names.get(choice.topic.casefold())
        second = names.get(choice.runner_up.casefold())
        return TopicChoice(chosen, choice.reason, second if second != chosen else None)

    def expand(self, question: str, description: str) -> tuple[str, ...]:
        """Return keywords that passages which answer the question would hold."""
        data = mark("CORPUS", description) + "\n\n" + mark("QUESTION", question)
        found = self._ask("topics_expand", Form(_Keywords), data).keywords
        return tuple(dict.fromkeys(one.word for one in found))[:MAX_KEYWORDS]

    def _room(self, prompt: str) -> int:
        return min(MAX_TEXTS_TOKENS, self.asker.room(template(prompt), template("data_rule")))

    def _ask(self, prompt: str, form: Form[_M], data: str) -> _M:
        messages = [
            Message("system", render(prompt, data_rule=template("data_rule"))),
            Message("user", data),
        ]
        return self.asker.ask(messages, form, prompt.replace("_", ": ")).value


def _line(topic: TopicDraft) -> str:
    """Return a topic as a line of a list."""
    return f"- {clean(topic.name)}: {clean(topic.description)}"

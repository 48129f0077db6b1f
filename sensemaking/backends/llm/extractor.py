"""What a chunk says, by a language model: entities, relationships and claims, each with evidence.

The model lists what a passage states and quotes it; the quotations are looked up in the chunk. Then
it is asked whether something is missing and, if so, for that (gleaning). It is told the kinds of
entities, and answers in the language of the passage.

Notes
-----
Contract of GraphRAG in our words (METHODS 2.2, 2.3 of the README). Ours: JSON instead of separated
records; a quotation for everything; names are not capitalised; the same name is one entity of a
chunk; statements that lie wholly in the part that the chunk before holds are left to that chunk;
what was copied from the example of the prompt is dropped; a relationship weighs less when the
sentences that it is quoted from do not name its ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.collecting import Collector
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import clean
from sensemaking.backends.llm.statements import Listed
from sensemaking.backends.llm.tongues import wrong_language
from sensemaking.config import LanguageSettings
from sensemaking.errors import ModelError
from sensemaking.ports import Message, Passage, TopicDraft
from sensemaking.prompts import render, template
from sensemaking.types import Extraction

PROMPTS = ("extract", "extract_passage", "extract_missed", "nothing_missed")
TOPIC_PROMPTS = (*PROMPTS, "extract_focus")
YES_NO_TOKENS = 256
"""Room for the answer to a yes/no question, and for a model that thinks before it."""
MAX_SOURCE = 300
_ANSWER = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
_METADATA = ("author", "date", "from", "subject", "to")


@dataclass(frozen=True, slots=True)
class LlmExtractor:
    """Lists what passages state, with a model; with a topic, what they state about it."""

    asker: Asker
    settings: LanguageSettings
    topic: TopicDraft | None = None
    waits: bool = True

    @property
    def key(self) -> str:
        """Return the model, the prompts, the kinds and the number of gleanings."""
        parameters = ("\n".join(self.settings.entity_kinds), self.settings.gleanings)
        if self.topic is None:
            return self.asker.key("extractor", PROMPTS, *parameters)
        topic = (self.topic.name, self.topic.description)
        return self.asker.key("topic-extractor", TOPIC_PROMPTS, *parameters, *topic)

    @property
    def context_tokens(self) -> int:
        """Return the size of the largest passage it can read, also when it is asked again."""
        prompts = [template(name) for name in (*TOPIC_PROMPTS, "data_rule")]
        earlier = self.asker.reply_tokens if self.settings.gleanings else 0
        return max(1, self.asker.room(*prompts) - earlier)

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        """Return one extraction per passage, in order.

        Raises
        ------
        ModelError
            When what a passage says cannot be had. What gleaning fails to add is only counted.
        """
        return [self._extract(passage) for passage in passages]

    def _extract(self, passage: Passage) -> Extraction:
        subject = f"chunk {passage.chunk.id}"
        messages = self.messages(passage)
        form = Form(Listed, wish=lambda one: wrong_language(_told(one), passage.language))
        asked = self.asker.ask(messages, form, subject)
        collector = Collector(passage, self.settings.entity_kinds)
        collector.add(asked.value)
        n_bad = len(asked.problems)
        for _ in range(self.settings.gleanings):
            so_far = [*messages, Message("assistant", collector.listing())]
            try:
                if not self._is_missing(so_far):
                    break
                more = [*so_far, Message("user", template("extract_missed"))]
                asked = self.asker.ask(more, form, f"{subject}, gleaning")
            except ModelError:
                self.asker.tally.add("gleanings failed", subject=subject)
                break
            n_bad += len(asked.problems)
            if not collector.add(asked.value):
                break
        extraction = collector.extraction(n_bad)
        self.asker.tally.add("records unlocated", extraction.unlocated, subject=subject)
        self.asker.tally.add(
            "records that say nothing", extraction.dropped - n_bad, subject=subject
        )
        return extraction

    def messages(self, passage: Passage) -> list[Message]:
        """Return what is asked about a passage."""
        language = passage.language
        told = f" (ISO 639-1: {language})" if language not in ("", "und") else ""
        system = render(
            "extract",
            data_rule=template("data_rule"),
            focus="" if self.topic is None else template("extract_focus") + "\n",
            kinds=", ".join(self.settings.entity_kinds),
            language=f"the language of the passage{told}",
        )
        source = [f"title: {clean(passage.title)[:MAX_SOURCE]}"]
        source += [
            f"{name}: {clean(value)[:MAX_SOURCE]}"
            for name, value in passage.metadata
            if name in _METADATA and value
        ]
        about = mark("SOURCE", "\n".join(source))
        if self.topic is not None:
            told = f"{clean(self.topic.name)}: {clean(self.topic.description)}"
            about = mark("TOPIC", told) + "\n\n" + about
        user = render(
            "extract_passage",
            source=about,
            passage=mark("PASSAGE", passage.text),
        )
        return [Message("system", system), Message("user", user)]

    def _is_missing(self, messages: Sequence[Message]) -> bool:
        question = Message("user", template("nothing_missed"))
        reply = self.asker.model.complete([*messages, question], max_tokens=YES_NO_TOKENS)
        answer = _ANSWER.search(reply.text[-2000:])
        return answer is not None and answer[1].lower() == "yes"


def _told(listed: Listed) -> list[str]:
    """Return what the model said in its own words."""
    told = [one.description for one in listed.entities]
    told += [one.description for one in listed.relationships]
    return told + [one.description for one in listed.claims]


@dataclass(frozen=True, slots=True)
class LlmTopicExtractor:
    """Reads every passage again for one topic (ReTAG), with a model."""

    asker: Asker
    settings: LanguageSettings
    topic: TopicDraft
    waits: bool = True

    @property
    def key(self) -> str:
        """Return the model, the prompts, the settings and the topic."""
        return self._extractor.key

    def extract(self, passages: Sequence[Passage], known: Sequence[Extraction]) -> list[Extraction]:
        """Return one extraction per passage, in order; `known` is not looked at.

        Raises
        ------
        ModelError
            As `LlmExtractor.extract`.
        """
        del known
        return self._extractor.extract(passages)

    @property
    def _extractor(self) -> LlmExtractor:
        return LlmExtractor(self.asker, self.settings, self.topic)

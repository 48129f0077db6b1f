"""Questions about a corpus as a whole, from its topics and a stock of forms.

A description comes in: lines "- topic" and "* name" (`evaluation.questions.describe_corpus`); any
other text gives its names and most frequent pairs of words as topics. Personas with tasks come out,
each question about a topic or about the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from sensemaking.ports import PersonaDraft
from sensemaking.text.words import names, words

PERSONAS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "A journalist who prepares a long piece",
        ("find the story", "check claims", "find voices", "find conflict", "give background"),
    ),
    (
        "An analyst who advises decision makers",
        ("weigh risks", "compare positions", "find causes", "look ahead", "find gaps"),
    ),
    (
        "A researcher new to the field",
        ("get an overview", "trace ideas", "find evidence", "compare cases", "find open questions"),
    ),
    (
        "A teacher who plans a course",
        ("choose topics", "find examples", "show debate", "explain change", "link subjects"),
    ),
    (
        "A manager who must act on it",
        ("set priorities", "learn from others", "judge cost", "find partners", "avoid mistakes"),
    ),
)

FORMS = (
    "What are the main points made about {topic} across the documents?",
    "How do views on {topic} differ between those who speak or write about it?",
    "What reasons are given for what happens with {topic}?",
    "Which examples are used to explain {topic}, and what do they have in common?",
    "How has what is said about {topic} changed over time?",
    "What problems are seen with {topic}, and what is proposed against them?",
    "Who is affected by {topic}, and in which ways?",
    "What connects {topic} with {other}?",
    "What is disputed about {topic}?",
    "Which figures and facts are given about {topic}?",
    "What consequences of {topic} are expected?",
    "What is left unsaid or unclear about {topic}?",
)
WHOLE = (
    "What are the main themes of the documents?",
    "Which concerns come up again and again across the documents?",
    "On which matters do the documents disagree with each other?",
    "Which persons and organisations matter most, and for what?",
    "What has changed over the time that the documents cover?",
)
MAX_TOPIC = 60
"""Characters of a topic in a question; a longer title is cut at a word."""


@dataclass(frozen=True, slots=True)
class ExtractiveQuestionWriter:
    """Fills forms with topics; needs no model."""

    key: str = "extractive-questions-1"

    def write(self, description: str, counts: tuple[int, int, int]) -> tuple[PersonaDraft, ...]:
        """Return `counts` = (personas, tasks each, questions a task); fewer where forms run out.

        No question comes twice. The first question of each persona is about the whole.
        """
        n_personas, n_tasks, n_questions = counts
        topics = _topics(description)
        stock = _stock(topics)
        wholes = iter(WHOLE)
        drafts = []
        for number in range(n_personas):
            persona, tasks = PERSONAS[number % len(PERSONAS)]
            label = persona if number < len(PERSONAS) else f"{persona} ({number + 1})"
            made = []
            for at in range(n_tasks):
                task = tasks[at % len(tasks)]
                first = next(wholes, None) if at == 0 else None
                asked = [first] if first is not None and n_questions else []
                asked += islice(stock, n_questions - len(asked))
                if asked:
                    made.append((task, tuple(asked)))
            if made:
                drafts.append(PersonaDraft(label, tuple(made)))
        return tuple(drafts)


def _stock(topics: list[str]) -> Iterator[str]:
    """Yield every form with every topic once, moving through both so that neighbours differ."""
    for step in range(len(FORMS)):
        for place, topic in enumerate(topics):
            other = topics[(place + 1) % len(topics)]
            form = FORMS[(step + place) % len(FORMS)]
            if "{other}" in form and other == topic:
                continue
            yield form.format(topic=topic, other=other)


def _topics(description: str) -> list[str]:
    lines = [line.strip() for line in description.splitlines()]
    listed = [line[2:] for line in lines if line.startswith("- ")]
    listed += [line[2:] for line in lines if line.startswith("* ")]
    if not listed:
        listed = [*names(description), *_frequent(description)]
    return list(dict.fromkeys(_cut(" ".join(one.split())) for one in listed if one.strip()))


def _frequent(text: str) -> list[str]:
    long = [word for word in words(text) if len(word) > 3]
    pairs = Counter(f"{one} {other}" for one, other in pairwise(long) if one != other)
    ranked = sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
    return [pair for pair, _ in ranked[:12]]


def _cut(topic: str) -> str:
    if len(topic) <= MAX_TOPIC:
        return topic
    return topic[:MAX_TOPIC].rsplit(" ", 1)[0].rstrip(",;:–-")

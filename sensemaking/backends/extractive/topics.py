"""What a corpus is about, told from its reports without a model.

Topics are groups of reports that use the same words, named by the terms that are theirs (c-TF-IDF:
the texts of a group count as one). A question belongs to the topic that the reports which fit it
speak of, and that shares its words. Keywords are the terms of those reports.

References
----------
Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure" (2022).
Lavrenko and Croft, "Relevance-Based Language Models" (2001).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sensemaking.backends.extractive.clusters import group
from sensemaking.backends.extractive.phrases import Terms, count_terms
from sensemaking.backends.extractive.placing import Placer
from sensemaking.backends.extractive.questions import read_question
from sensemaking.backends.extractive.themes import join_terms
from sensemaking.ports import TopicChoice, TopicDraft
from sensemaking.retrieval.lexical import LexicalIndex, tokens
from sensemaking.text.words import content_words, stem, words

MAX_TOPICS = 40
NAME_TERMS, DESCRIPTION_TERMS = 3, 12
PHRASE, PERSON, NOUN = 2.5, 0.3, 0.5
"""What a phrase, a name that may be a person's and a common noun count against another name."""
MIN_GROUP = 2
"""Texts of a topic, where there are enough of them."""
KNOWN, CLOSE = 0.15, 0.08
"""Share of a question that some report must speak of, and closeness of the best topic: a question
under one of them belongs to no topic."""
READ = 10
"""Reports that keywords are taken from."""
MAX_KEYWORDS = 12


@dataclass(frozen=True)
class ExtractiveTopicAnalyst:
    """Finds topics by counting words; `texts` are the reports of the corpus."""

    texts: tuple[str, ...]
    key: str = "extractive-topics-4"

    def mine(self, texts: Sequence[str]) -> tuple[TopicDraft, ...]:
        """Return the topics of texts, those of most texts first.

        Notes
        -----
        There are as many groups as the square root of the number of texts, at most `MAX_TOPICS`.
        A term weighs as often as the group says it, times the square root of the group's share
        of all its occurrences, times its inverse frequency over groups.
        """
        return _find_topics(texts)

    def describe(self, texts: Sequence[str]) -> str:
        """Return what the texts speak of most, in two sentences."""
        terms = count_terms([text for text in texts if tokens(text)])
        spread = Counter(key for counts in terms.counts for key in counts)
        named = _leading(spread, terms, terms.named, 5)
        common = _leading(spread, terms, frozenset(terms.shown) - terms.named, 6)
        sentences = [f"A collection of texts about {_list(common)}."] if common else []
        if named:
            sentences.append(f"Named most often: {_list(named)}.")
        return " ".join(sentences) or "A collection of texts without recurring terms."

    def classify(
        self, question: str, topics: Sequence[TopicDraft], description: str
    ) -> TopicChoice:
        """Return the topic that is closest to the question.

        Notes
        -----
        Closeness is what `placing` tells. A question that the corpus hardly speaks of (`KNOWN`)
        has no topic, nor one whose reports are spread over all topics (`CLOSE`), nor one about
        the whole corpus.
        """
        del description
        if not topics:
            return TopicChoice(None, "There are no topics to choose from.", None)
        asked = read_question(question)
        if asked.kind == "themes" and not asked.terms:
            return TopicChoice(None, "The question asks about the whole corpus.", None)
        placed = self._placer.place(question, [_draft_text(one) for one in topics])
        scored = sorted(
            zip(placed.closeness, topics, strict=True),
            key=lambda pair: (-pair[0], pair[1].name.casefold()),
        )
        score, best = scored[0]
        if score < CLOSE or placed.known < KNOWN:
            why = "The reports that fit the question are on many topics"
            if placed.known < KNOWN:
                why = "The corpus hardly speaks of what the question asks"
            elif not score:
                why = "The reports that fit the question are on none of the topics"
            nearest = f"; the nearest is {best.name} (closeness {score:.2f} of 1)" if score else ""
            return TopicChoice(None, f"{why}{nearest}.", best.name if score else None)
        reason = f"The reports that fit the question are on it (closeness {score:.2f} of 1)"
        shared = _shared(question, best)
        reason += f"; they share {_list(shared)}." if shared else "."
        second = scored[1][1].name if len(scored) > 1 and scored[1][0] > 0 else None
        return TopicChoice(best.name, reason, second)

    def expand(self, question: str, description: str) -> tuple[str, ...]:
        """Return words of the reports that fit the question best, and that it does not hold.

        Notes
        -----
        Relevance feedback: a word weighs by its share of each of the ten best reports, times that
        report's score, times its inverse frequency over all reports. A question whose words no
        report holds gives nothing.
        """
        del description
        best = [pair for pair in self._index.search(question, READ) if pair[1] > 0]
        asked = set(tokens(question))
        weights: defaultdict[str, float] = defaultdict(float)
        forms: dict[str, Counter[str]] = {}
        for key, score in best:
            found = tokens(self._by_id[key])
            for word, count in sorted(Counter(found).items()):
                weights[word] += score * count / len(found) * self._rarity(word)
            for word in words(self._by_id[key]):
                forms.setdefault(stem(word), Counter())[word] += 1
        ranked = sorted(
            (one for one in weights if one not in asked and not one.isdigit()),
            key=lambda one: (-round(weights[one], 9), one),
        )
        return tuple(_commonest(forms.get(one), one) for one in ranked[:MAX_KEYWORDS])

    @cached_property
    def _by_id(self) -> dict[str, str]:
        return {f"{n:06d}": text for n, text in enumerate(dict.fromkeys(self.texts))}

    @cached_property
    def _index(self) -> LexicalIndex:
        return LexicalIndex(self._by_id)

    @cached_property
    def _placer(self) -> Placer:
        return Placer(self._index, self._by_id)

    @cached_property
    def _frequency(self) -> Counter[str]:
        return Counter(word for text in self.texts for word in set(tokens(text)))

    def _rarity(self, word: str) -> float:
        return math.log((1 + len(self.texts)) / (1 + self._frequency[word]))


def _find_topics(texts: Sequence[str]) -> tuple[TopicDraft, ...]:
    """Return the topics of texts; see `mine`."""
    telling = [text for text in texts if tokens(text)]
    if not telling:
        return ()
    terms = count_terms(telling)
    size = min(MAX_TOPICS, math.isqrt(len(telling)))
    bags = [_bag(text, counts) for text, counts in zip(telling, terms.counts, strict=True)]
    groups, rest = group(bags, size)
    if len(telling) > MIN_GROUP**3:
        groups = [members for members in groups if len(members) >= MIN_GROUP]
    found: dict[str, TopicDraft] = {}
    for chosen in _name_groups(groups or [rest], terms):
        name = join_terms(chosen[:NAME_TERMS])
        draft = TopicDraft(name, f"Speaks of {_list(chosen[:DESCRIPTION_TERMS])}.")
        found.setdefault(name.casefold(), draft)
    return tuple(found.values())


def _bag(text: str, counts: Mapping[str, int]) -> Counter[str]:
    """Return how often a text says each word, and each term of several words."""
    bag = Counter(content_words(text))
    bag.update({key: count for key, count in counts.items() if " " in key})
    return bag


def _name_groups(groups: Sequence[Sequence[int]], terms: Terms) -> list[list[str]]:
    """Return the terms of each group, best first, none inside another; no group without terms."""
    counts = [Counter[str]() for _ in groups]
    for total, members in zip(counts, groups, strict=True):
        for member in members:
            total.update(terms.counts[member])
    overall = Counter[str]()
    spread = Counter[str]()
    for total in counts:
        overall.update(total)
        spread.update(total.keys())
    named = []
    for total in counts:
        weights = {
            key: count
            * math.sqrt(count / overall[key])
            * math.log(1 + len(groups) / spread[key])
            * _kind_factor(key, terms)
            for key, count in total.items()
        }
        chosen = _distinct(sorted(weights, key=lambda key: (-round(weights[key], 9), key)))
        if chosen:
            named.append([terms.shown[key] for key in chosen])
    return named


def _kind_factor(key: str, terms: Terms) -> float:
    if key in terms.personal:
        return PERSON
    if " " in key:
        return PHRASE
    return 1.0 if key in terms.named else NOUN


def _distinct(keys: Sequence[str]) -> list[str]:
    chosen: list[str] = []
    for key in keys:
        parts = set(key.split())
        if not any(parts <= set(one.split()) or parts >= set(one.split()) for one in chosen):
            chosen.append(key)
        if len(chosen) == max(NAME_TERMS, DESCRIPTION_TERMS):
            break
    return chosen


def _leading(
    spread: Mapping[str, int], terms: Terms, among: frozenset[str], size: int
) -> list[str]:
    ranked = sorted(among, key=lambda key: (-spread[key] * _kind_factor(key, terms), key))
    return [terms.shown[key] for key in _distinct(ranked)[:size]]


def _draft_text(topic: TopicDraft) -> str:
    """Return what stands for a topic; its name counts twice."""
    return f"{topic.name}. {topic.name}. {topic.description}"


def _shared(question: str, topic: TopicDraft) -> list[str]:
    """Return the words of the question that the topic's name or description holds."""
    held = set(tokens(f"{topic.name} {topic.description}"))
    found = [word for word in words(question) if held.intersection(tokens(word))]
    return [f"“{word}”" for word in dict.fromkeys(found)][:4]


def _commonest(forms: Counter[str] | None, word: str) -> str:
    return min(forms, key=lambda form: (-forms[form], form)) if forms else word


def _list(terms: Sequence[str]) -> str:
    return f"{', '.join(terms[:-1])} and {terms[-1]}" if len(terms) > 1 else "".join(terms)

"""A user's edits, replayed over the topics that were found.

Edits are kept apart from what is found, by name, and applied in their order; a rebuild finds topics
anew and loses none of them. An edit whose topic is not found any more is of the one whose name has
nearly the same words (a new document turns "Settling pit and silty sand" round, or adds to it);
where there is none, or two, it does nothing, and does its work again when the topic comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from sensemaking.text.words import content_words, words
from sensemaking.topics.naming import clean_name, fold_name, make_topic
from sensemaking.types import Topic, TopicEdit

SAME = 0.6
"""Share of common words among all words of two names, from which an edit of one is of the other."""


def apply_edits(topics: Sequence[Topic], edits: Iterable[TopicEdit]) -> tuple[Topic, ...]:
    """Return the topics as the user wants them, in their order, those that were added last."""
    return _replay(topics, edits)[0]


def idle_edits(topics: Sequence[Topic], edits: Iterable[TopicEdit]) -> tuple[TopicEdit, ...]:
    """Return the edits that do nothing, for their topic is not found any more."""
    return _replay(topics, edits)[1]


def find_topic(topics: Sequence[Topic], name: str) -> Topic | None:
    """Return the topic with that name, subject, slug or id, or None."""
    return _Topics(topics).find(name)


class _Topics:
    """Topics in their order, each found by its names without looking at the others."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._by_id: dict[str, Topic] = {}
        self._named: dict[str, str] = {}
        self._also: dict[str, str] = {}
        for topic in topics:
            self.put(topic)

    def all(self) -> tuple[Topic, ...]:
        return tuple(self._by_id.values())

    def find(self, name: str) -> Topic | None:
        """Return the topic that is called so now, else one that was found under that name."""
        folded = fold_name(name)
        known = self._named.get(folded) or self._also.get(folded) or self._also.get(name)
        return self._by_id.get(known or "")

    def edited(self, name: str) -> Topic | None:
        """Return the topic that an edit of that name is of."""
        known = self.find(name)
        if known is not None:
            return known
        asked = _words(name)
        shares = {one.id: _share(asked, _words(one.subject)) for one in self._by_id.values()}
        best = max(shares.values(), default=0.0)
        closest = [key for key, share in shares.items() if share == best]
        return self._by_id[closest[0]] if best >= SAME and len(closest) == 1 else None

    def put(self, topic: Topic) -> None:
        """Add a topic at the end, or let it take the place of the one with its id."""
        old = self._by_id.get(topic.id)
        if old is not None:
            self._forget(old)
        self._by_id[topic.id] = topic
        self._named.setdefault(fold_name(topic.name), topic.id)
        for one in _other_names(topic):
            self._also.setdefault(one, topic.id)

    def remove(self, topic: Topic) -> None:
        del self._by_id[topic.id]
        self._forget(topic)

    def _forget(self, topic: Topic) -> None:
        for names, keys in (
            (self._named, (fold_name(topic.name),)),
            (self._also, _other_names(topic)),
        ):
            for key in keys:
                if names.get(key) == topic.id:
                    del names[key]


@lru_cache(maxsize=10_000)
def _words(name: str) -> frozenset[str]:
    return frozenset(content_words(name) or words(name))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _other_names(topic: Topic) -> tuple[str, str, str]:
    return topic.id, topic.slug, fold_name(topic.subject)


def _replay(
    topics: Sequence[Topic], edits: Iterable[TopicEdit]
) -> tuple[tuple[Topic, ...], tuple[TopicEdit, ...]]:
    found = _Topics(topics)
    ordered = sorted(edits, key=lambda one: one.id)
    idle = tuple(edit for edit in ordered if not _apply(found, edit))
    return found.all(), idle


def _apply(topics: _Topics, edit: TopicEdit) -> bool:
    """Apply an edit; return whether the topics that it needs are there."""
    topic = topics.find(edit.topic) if edit.action == "add" else topics.edited(edit.topic)
    if edit.action == "add":
        added = make_topic(edit.topic, edit.value)
        if topic is None and topics.find(added.id) is None and added.name:
            topics.put(added)
        return True
    if topic is None:
        return False
    if edit.action == "drop":
        topics.remove(topic)
    elif edit.action == "merge":
        return _merge(topics, topic, edit.value)
    elif edit.action == "rename":
        name = clean_name(edit.value)
        if name and topics.find(name) in (None, topic):
            topics.put(replace(topic, name=name))
    else:
        topics.put(replace(topic, description=" ".join(edit.value.split())))
    return True


def _merge(topics: _Topics, topic: Topic, into: str) -> bool:
    host = topics.edited(into)
    if host is None:
        return False
    if host is not topic:
        texts = dict.fromkeys(text for text in (host.description, topic.description) if text)
        topics.remove(topic)
        topics.put(
            replace(
                host,
                description=" ".join(texts),
                merged=tuple(dict.fromkeys((*host.merged, topic.subject, *topic.merged))),
            )
        )
    return True

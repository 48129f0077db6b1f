"""A user's edits, replayed over the topics that were found.

Edits are kept apart from what is found, by name, and applied in their order; a rebuild finds topics
anew and loses none of them. An edit whose topic is not found any more does nothing, and does its
work again when the topic comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sensemaking.topics.naming import MAX_NAME, fold_name, make_topic
from sensemaking.types import Topic, TopicEdit


def apply_edits(topics: Sequence[Topic], edits: Iterable[TopicEdit]) -> tuple[Topic, ...]:
    """Return the topics as the user wants them, in their order, those that were added last."""
    found = list(topics)
    for edit in sorted(edits, key=lambda one: one.id):
        found = _apply(found, edit)
    return tuple(found)


def find_topic(topics: Sequence[Topic], name: str) -> Topic | None:
    """Return the topic with that name, subject, slug or id, or None."""
    folded = fold_name(name)
    for topic in topics:
        if fold_name(topic.name) == folded:
            return topic
    for topic in topics:
        if name in (topic.id, topic.slug) or fold_name(topic.subject) == folded:
            return topic
    return None


def _apply(topics: list[Topic], edit: TopicEdit) -> list[Topic]:
    topic = find_topic(topics, edit.topic)
    if edit.action == "add":
        added = make_topic(edit.topic, edit.value)
        known = topic is not None or any(one.id == added.id for one in topics)
        return topics if known or not added.name else [*topics, added]
    if topic is None:
        return topics
    if edit.action == "drop":
        return [one for one in topics if one is not topic]
    if edit.action == "merge":
        return _merge(topics, topic, edit.value)
    if edit.action == "rename":
        name = " ".join(edit.value.split())[:MAX_NAME]
        other = find_topic(topics, name)
        if not name or (other is not None and other is not topic):
            return topics
        changed = replace(topic, name=name)
    else:
        changed = replace(topic, description=" ".join(edit.value.split()))
    return [changed if one is topic else one for one in topics]


def _merge(topics: list[Topic], topic: Topic, into: str) -> list[Topic]:
    host = find_topic(topics, into)
    if host is None or host is topic:
        return topics
    texts = dict.fromkeys(text for text in (host.description, topic.description) if text)
    merged = replace(
        host,
        description=" ".join(texts),
        merged=tuple(dict.fromkeys((*host.merged, topic.subject, *topic.merged))),
    )
    return [merged if one is host else one for one in topics if one is not topic]

"""What a question by topic needs before it can be asked: topics found, the graph of one made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sensemaking.cli import terminal
from sensemaking.errors import SensemakingError

if TYPE_CHECKING:
    from sensemaking.config import AskSettings
    from sensemaking.workspace import Corpus


def find_topics(corpus: Corpus) -> None:
    """Find the topics of a corpus; those that were found in the same reports are there at once."""
    corpus.topics.start_finding()
    _finish(corpus)
    terminal.say(
        f"{len(corpus.topics.all()):,} topics; list them: sensemaking topics {corpus.name}"
    )


def prepare_topics(corpus: Corpus, question: str, settings: AskSettings) -> None:
    """Find topics and make the graph of the question's topic, where that costs nothing.

    With a language model nothing is made: the answer tells what is missing and how to make it.
    """
    from sensemaking.methods import METHODS

    method = METHODS.get(settings.method)
    if method is None or not method.by_topic or corpus.settings.backend != "extractive":
        return
    topics = corpus.topics
    if not topics.is_found:
        find_topics(corpus)
    algorithm = settings.hierarchy.partition(".")[2]
    # A graph that comes out empty is not offered any more: the question goes to the next topic.
    while (topic := topics.choose(question, settings).topic) is not None:
        if not topics.needs_graph(topic, algorithm):
            return
        terminal.say(f"Making the graph of the topic “{topic.name}”.")
        topics.start_graphs([topic.id])
        _finish(corpus)


def _finish(corpus: Corpus) -> None:
    """Wait for the job on topics; Ctrl-C stops it and what was done is kept."""
    try:
        job = corpus.topics.wait()
    except KeyboardInterrupt:
        corpus.topics.stop()
        raise
    if job is not None and job.status == "failed":
        raise SensemakingError(job.error)

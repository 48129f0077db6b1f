"""An answer written again: some windows dropped, some pinned, nothing read again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sensemaking.config import AskSettings
from sensemaking.errors import InputError, NotFound
from sensemaking.types import Answer
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS, QUESTION
from tests.wire import ScriptedServer
from tests.wire.reader import read

SECONDS = 120


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    workspace = Workspace.open(Path(tmp_path_factory.mktemp("home")))
    made = workspace.create("Larkmere")
    made.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    made.start_build()
    job = made.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done"
    yield made
    workspace.close()


@pytest.fixture(scope="module")
def answer(corpus: Corpus) -> Answer:
    # Small windows: every report is one of its own.
    key = corpus.start_answer(QUESTION, AskSettings(window_tokens=200))
    found = corpus.wait_for_answer(key, SECONDS).answer
    assert found is not None
    assert sum(one.helpfulness > 0 for one in found.sub_answers) >= 2
    return found


def helping(answer: Answer) -> list[int]:
    found = sorted(answer.sub_answers, key=lambda one: -one.helpfulness)
    return [one.window for one in found if one.helpfulness > 0]


def again(corpus: Corpus, answer: Answer, dropped: list[int], pinned: list[int]) -> Answer:
    key = corpus.write_again(answer.id, dropped, pinned)
    found = corpus.wait_for_answer(key, SECONDS).answer
    assert found is not None
    return found


def test_a_dropped_window_leaves_nothing_in_the_answer(corpus: Corpus, answer: Answer) -> None:
    best = helping(answer)[0]
    new = again(corpus, answer, [best], [])
    assert new.id != answer.id
    gone = {point.id for point in answer.sub_answers[best].points}
    assert not gone & {point for one in new.sentences for point in one.point_ids}
    assert new.sub_answers[best].status == "cut"
    assert dict(new.settings)["dropped windows"] == str(best + 1)
    for n, _ in enumerate(new.sentences):
        assert corpus.evidence(new.id, n)
    # The first answer stands as it was, and both are in the history.
    assert corpus.answer(answer.id).answer == answer
    assert {new.id, answer.id} <= {row.id for row in corpus.answers()}


def test_a_pinned_window_is_kept_first_and_the_same_choice_is_the_same_answer(
    corpus: Corpus, answer: Answer
) -> None:
    last = helping(answer)[-1]
    new = again(corpus, answer, [], [last])
    assert new.sub_answers[last].status == "kept"
    assert corpus.write_again(answer.id, [], [last]) == new.id


def test_a_choice_that_cannot_be_used_says_why(corpus: Corpus, answer: Answer) -> None:
    best = helping(answer)[0]
    with pytest.raises(InputError, match="Nothing is dropped"):
        corpus.write_again(answer.id, [], [])
    with pytest.raises(InputError, match="both dropped and pinned"):
        corpus.write_again(answer.id, [best], [best])
    with pytest.raises(InputError, match="no window 100"):
        corpus.write_again(answer.id, [99], [])
    with pytest.raises(InputError, match="drop fewer"):
        corpus.write_again(answer.id, helping(answer), [])
    with pytest.raises(NotFound):
        corpus.write_again("nothing", [0], [])


def test_who_answered_writes_it_again(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(read) as server:
        monkeypatch.setenv("SENSEMAKING_MODEL", "reader")
        monkeypatch.setenv("SENSEMAKING_BASE_URL", server.url)
        key = corpus.start_answer(QUESTION, AskSettings(window_tokens=200), backend="llm")
        first = corpus.wait_for_answer(key, SECONDS).answer
        assert first is not None
        dropped = [one.window for one in first.sub_answers if one.points][:1]
        n_before = len(server.requests)
        new = corpus.write_again(key, dropped, [])
        ended = corpus.wait_for_answer(new, SECONDS)
    assert ended.answer is not None, ended.error
    assert dict(ended.settings)["backend"] == "llm"
    assert len(server.requests) == n_before + 1  # the model wrote it; nothing was read again

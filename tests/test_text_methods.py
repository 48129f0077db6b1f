"""Answers from the texts themselves and from the closest passages, through the whole engine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sensemaking.config import AskSettings
from sensemaking.errors import NotBuilt
from sensemaking.types import Answer
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS

SECONDS = 120
QUESTION = "What does Northgate Engineering say about the river wall?"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    opened = Workspace.open(tmp_path_factory.mktemp("home"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def corpus(workspace: Workspace) -> Corpus:
    made = workspace.create("bridge")
    made.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    made.start_build()
    job = made.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    return made


def ask(corpus: Corpus, method: str, question: str = QUESTION, **more) -> Answer:
    key = corpus.start_answer(question, AskSettings(method=method, **more))
    snapshot = corpus.wait_for_answer(key, SECONDS)
    assert snapshot.answer is not None, snapshot.error
    return snapshot.answer


@pytest.mark.parametrize("method", ["text", "vector"])
def test_every_sentence_of_an_answer_opens_the_text_it_is_from(corpus: Corpus, method: str) -> None:
    answer = ask(corpus, method)
    assert answer.method == method
    assert answer.sentences
    for sentence in answer.sentences:
        assert sentence.support == 100
        for span in sentence.spans:
            quoted = corpus.document(span.document_id).text[span.start : span.end]
            assert quoted.split()[-1].strip(".”") in sentence.text
    assert answer.coverage.n_reports == 0


def test_all_texts_are_read_and_only_what_fits_is_searched(corpus: Corpus) -> None:
    whole = ask(corpus, "text", window_tokens=400)
    assert whole.coverage.n_chunks_covered == whole.coverage.n_chunks
    assert len(whole.sub_answers) > 1
    closest = ask(corpus, "vector", window_tokens=400)
    assert len(closest.sub_answers) == 1
    assert 0 < closest.coverage.n_chunks_covered < whole.coverage.n_chunks
    assert closest.n_tokens <= 400


def test_what_would_be_read_is_known_before_the_question(corpus: Corpus) -> None:
    planned = corpus.plan_answer(AskSettings(method="text", window_tokens=400))
    assert len(planned.titles) == len(ask(corpus, "text", window_tokens=400).sub_answers)
    assert len(corpus.plan_answer(AskSettings(method="vector")).titles) == 1


def test_a_corpus_that_is_not_built_says_so(workspace: Workspace) -> None:
    empty = workspace.create("empty")
    for method in ("text", "vector"):
        with pytest.raises(NotBuilt):
            empty.start_answer(QUESTION, AskSettings(method=method))


def test_two_answers_are_aligned_claim_by_claim(corpus: Corpus) -> None:
    evaluations = corpus.evaluations.comparing
    first = evaluations.split(ask(corpus, "text"))
    second = evaluations.split(ask(corpus, "global"))
    assert first.claims
    assert all(0 <= place < len(first.answer.sentences) for place in first.sentences)
    aligned = evaluations.align(first, second)
    assert sorted(one.first for one in aligned if one.first >= 0) == list(range(len(first.claims)))
    assert {one.kind for one in evaluations.align(first, first)} == {"agree"}

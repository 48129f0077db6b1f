"""Corpora from files to sourced answers, through everything but the screen; and bad input."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sensemaking.config import AskSettings
from sensemaking.errors import CorpusBusy, InputError, NotBuilt, NotFound, StoreError
from sensemaking.types import Answer, JobSnapshot
from sensemaking.workspace import Corpus, Workspace
from sensemaking.workspace.home import slug
from tests.dossier import DOCUMENTS, QUESTION

SECONDS = 120


def build(corpus: Corpus, files: dict[str, bytes]) -> JobSnapshot:
    corpus.add_files(files.items())
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    return job


def ask(corpus: Corpus, question: str, settings: AskSettings | None = None) -> Answer:
    key = corpus.start_answer(question, settings or AskSettings())
    snapshot = corpus.wait_for_answer(key, SECONDS)
    assert snapshot.answer is not None, snapshot.error
    return snapshot.answer


def encoded(documents: dict[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in documents.items()}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    opened = Workspace.open(tmp_path_factory.mktemp("home"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def built(workspace: Workspace) -> Corpus:
    corpus = workspace.create("Larkmere Bridge")
    job = build(corpus, encoded(DOCUMENTS))
    assert job.status == "done", job.error
    return corpus


def test_a_build_says_what_it_made_and_every_stage_is_complete(built: Corpus) -> None:
    job = built.job()
    assert job is not None
    assert job.result is not None
    assert job.result.documents == 4
    assert job.result.entities >= 5
    assert job.result.reports == sum(one.communities for one in job.result.hierarchies)
    assert all(stage.done == stage.total for stage in job.stages)
    assert built.summary().state == "built"


def test_every_sentence_of_an_answer_opens_characters_that_hold_it(built: Corpus) -> None:
    answer = ask(built, QUESTION)
    assert answer.sentences
    for number, sentence in enumerate(answer.sentences):
        assert sentence.support == 100, sentence.text
        evidence = built.evidence(answer.id, number)
        assert evidence
        for one in evidence:
            text = built.document(one.span.document_id).text
            assert one.quote == text[one.span.start : one.span.end]
            assert one.chain[-1].text == one.quote


def test_the_same_question_gives_the_same_answer(built: Corpus) -> None:
    first, second = ask(built, QUESTION), ask(built, QUESTION)
    assert first == second


def test_an_answer_is_found_again_by_another_program(built: Corpus, workspace: Workspace) -> None:
    answer = ask(built, QUESTION)
    again = Workspace.open(workspace.home)
    try:
        assert again.open_corpus(built.name).answer(answer.id).answer == answer
    finally:
        again.close()


def test_an_off_topic_question_gets_zeros_and_says_so(built: Corpus) -> None:
    answer = ask(built, "Which recipe for lasagne needs the least béchamel?")
    assert answer.sentences == ()
    assert {sub.status for sub in answer.sub_answers} == {"zero"}
    assert "No window helps" in answer.notes[0]


@pytest.mark.parametrize("question", ["🦆", "bridge " * 700, "다리는 왜 닫혔나?"])
def test_odd_questions_end_in_an_answer(built: Corpus, question: str) -> None:
    assert ask(built, question).question == question.strip()


def test_impossible_questions_say_why(built: Corpus) -> None:
    with pytest.raises(InputError, match="empty"):
        built.start_answer("  \n ", AskSettings())
    with pytest.raises(InputError, match="limit"):
        built.start_answer("x" * 30_000, AskSettings())
    with pytest.raises(NotBuilt, match="general.leiden"):
        built.start_answer(QUESTION, AskSettings(hierarchy="general.nope"))


def test_export_quotes_every_source(built: Corpus) -> None:
    answer = ask(built, QUESTION)
    exported = built.export_answer(answer.id)
    spans = {span for sentence in answer.sentences for span in sentence.spans}
    assert exported.count("]: “") == len(spans)
    assert QUESTION in exported


def test_a_second_build_of_an_unchanged_corpus_makes_nothing_anew(built: Corpus) -> None:
    before = built.content_digests()
    job = build(built, {})
    assert job.status == "done"
    assert built.content_digests() == before


def test_two_fresh_builds_have_one_digest(workspace: Workspace, built: Corpus) -> None:
    other = workspace.create("Again")
    job, first = build(other, encoded(DOCUMENTS)), built.job()
    assert job.result is not None
    assert first is not None
    assert first.result is not None
    assert job.result.digest == first.result.digest


def test_files_come_and_go_and_come_back(workspace: Workspace) -> None:
    corpus = workspace.create("Comings and goings")
    rows = corpus.add_files(
        encoded({"a.txt": "The tide turned at Quay 7.", "b.txt": "Salt."}).items()
    )
    assert corpus.summary().state == "ready"
    corpus.remove_files([rows[0].id])
    assert [row.name for row in corpus.files()] == ["b.txt"]
    assert [row.name for row in corpus.removed_files()] == ["a.txt"]
    corpus.restore_files([rows[0].id])
    assert [row.name for row in corpus.files()] == ["a.txt", "b.txt"]


def test_adding_a_document_marks_a_built_corpus_changed_and_keeps_the_rest(
    workspace: Workspace,
) -> None:
    corpus = workspace.create("Growing")
    names = list(DOCUMENTS)
    build(corpus, encoded({name: DOCUMENTS[name] for name in names[:3]}))
    chunks = corpus.content_digests()["extractions"]
    corpus.add_files(encoded({names[3]: DOCUMENTS[names[3]]}).items())
    assert corpus.summary().state == "changed"
    job = build(corpus, {})
    assert job.result is not None
    assert job.result.documents == 4
    assert corpus.content_digests()["extractions"] != chunks
    assert corpus.summary().state == "built"


def test_the_same_content_twice_is_flagged_and_kept(workspace: Workspace) -> None:
    corpus = workspace.create("Twins")
    text = DOCUMENTS["minutes.txt"]
    build(corpus, encoded({"a.txt": text, "b.txt": text}))
    assert [(row.name, row.status) for row in corpus.files()] == [
        ("a.txt", "read"),
        ("b.txt", "duplicate"),
    ]
    assert len(corpus.documents()) == 2


def test_unreadable_files_are_rows_with_reasons_and_the_rest_goes_on(workspace: Workspace) -> None:
    corpus = workspace.create("Mixed")
    noise = bytes(range(256)) * 40
    job = build(corpus, {"empty.txt": b"", "noise.txt": noise, **encoded(DOCUMENTS)})
    assert job.status == "done"
    reasons = {row.name: row.reason for row in corpus.files() if row.status in ("failed", "empty")}
    assert set(reasons) == {"empty.txt", "noise.txt"}
    assert all(reasons.values())
    assert {skip.subject for skip in job.skipped} == set(reasons)


def test_nothing_but_unreadable_files_is_an_error_that_says_what_to_do(
    workspace: Workspace,
) -> None:
    job = build(workspace.create("Nothing"), {"empty.txt": b""})
    assert job.status == "failed"
    assert "Add documents" in job.error


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one sentence", "The tide turned."),
        ("no entity", "and so on and so on. it was what it was."),
        ("one long line", "The Heron waits at Quay 7 for Captain Lind. " * 24_000),
        (
            "Korean",
            "바른홀름 항만청은 동부 부두의 퇴적물을 조사했다. 항만청은 카드뮴을 발견했다. " * 5,
        ),
        (
            "Arabic",
            "أعلنت هيئة الميناء أن الرصيف السابع مغلق. وقالت هيئة الميناء إن السفن تنتظر. " * 5,
        ),
    ],
)
def test_unusual_corpora_build_and_answer_or_say_why_not(
    workspace: Workspace, name: str, text: str
) -> None:
    corpus = workspace.create(f"Unusual {name}")
    job = build(corpus, {"a.txt": text.encode()})
    assert job.status == "done", job.error
    key = corpus.start_answer("What is it about?", AskSettings())
    snapshot = corpus.wait_for_answer(key, SECONDS)
    assert snapshot.answer is not None or "no reports" in snapshot.error


@pytest.mark.parametrize("damage", ["deleted", "corrupted"])
def test_a_lost_vector_store_hinders_no_answer_and_is_made_anew(
    workspace: Workspace, damage: str
) -> None:
    corpus = workspace.create(f"Vectors {damage}")
    build(corpus, encoded(DOCUMENTS))
    chroma = corpus.folder / "chroma"
    if damage == "deleted":
        shutil.rmtree(chroma)
    else:
        for path in sorted(chroma.rglob("*")):
            if path.is_file():
                path.write_bytes(b"\0" * 100)
    assert ask(corpus, QUESTION).sentences
    job = build(corpus, {})
    assert job.status == "done", job.error
    heads = corpus.engine.store.heads()
    assert corpus.engine.index.size(heads["vectors:entities"]) == job.result.entities  # type: ignore[union-attr]


def test_a_home_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    workspace = Workspace.open(blocked / "home")
    try:
        with pytest.raises(StoreError, match="SENSEMAKING_HOME"):
            workspace.create("Anything")
    finally:
        workspace.close()


def test_a_build_elsewhere_is_named(workspace: Workspace) -> None:
    corpus = workspace.create("Busy")
    corpus.add_files(encoded(DOCUMENTS).items())
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from pathlib import Path\n"
            "from sensemaking.adapters.locks import WriteLock\n"
            "lock = WriteLock(Path(sys.argv[1])); lock.acquire('build')\n"
            "print('held', flush=True)\n"
            "time.sleep(60)",
            str(corpus.folder),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(CorpusBusy, match=str(holder.pid)):
            corpus.start_build()
        with pytest.raises(CorpusBusy, match=str(holder.pid)):
            workspace.trash(corpus.name)
        assert corpus.name in workspace.names()
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done"


def test_trash_and_restore(workspace: Workspace) -> None:
    workspace.create("Short lived")
    workspace.trash("short-lived")
    assert "short-lived" not in workspace.names()
    assert "short-lived" in workspace.trashed()
    workspace.restore("short-lived")
    assert workspace.open_corpus("Short lived").title == "Short lived"


def test_a_build_is_stopped_when_its_corpus_goes_to_the_trash(workspace: Workspace) -> None:
    corpus = workspace.create("Discarded")
    corpus.add_files(encoded(DOCUMENTS).items())
    corpus.start_build()
    workspace.trash("discarded")
    workspace.restore("discarded")
    job = build(workspace.open_corpus("discarded"), {})
    assert job.status == "done", job.error


def test_unknown_corpora_are_not_found_and_names_are_checked(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        workspace.open_corpus("nowhere")
    with pytest.raises(InputError, match="needs a name"):
        workspace.create("   ")
    assert slug("../../etc") == "etc"
    assert slug("東部埠頭").startswith("corpus-")

"""Four short documents about one small world, for tests that need a corpus of text."""

from __future__ import annotations

from sensemaking.workspace import Corpus, Workspace

SECONDS = 120

DOCUMENTS = {
    "minutes.txt": (
        "Larkmere Council met on 4 March 2024. Councillor Ada Penrose said that the Larkmere "
        "Bridge needs new bearings before winter. Larkmere Council approved 2.4 million for it. "
        "Northgate Engineering will inspect the Larkmere Bridge in April 2024. Ada Penrose asked "
        "Northgate Engineering for a report on the bearings. Tomas Veld objected to the cost."
    ),
    "letter.txt": (
        "Dear Ada Penrose, Northgate Engineering inspected the Larkmere Bridge on 18 April 2024. "
        "The bearings are cracked and the river wall moves. Northgate Engineering advises to close "
        "the Larkmere Bridge for eleven weeks. The repair will cost 3.1 million. Tomas Veld of the "
        "Ferry Company has offered to carry passengers while the Larkmere Bridge is closed."
    ),
    "news.md": (
        "# Ferry Company wins the crossing\n\nThe Ferry Company will run boats across the Larke "
        "while the Larkmere Bridge is closed. Tomas Veld said the Ferry Company needs 90,000 from "
        "Larkmere Council. Ada Penrose said Larkmere Council pays nothing before the river wall is "
        "surveyed. The river wall has moved since 2019, says Northgate Engineering."
    ),
    "survey.txt": (
        "The survey of the river wall was made for Larkmere Council in May 2024. Northgate "
        "Engineering found that the river wall moves two millimetres a month. The river wall "
        "carries the eastern bearings of the Larkmere Bridge. Without a new river wall the "
        "Larkmere Bridge cannot be opened again. The survey puts the river wall at 1.2 million."
    ),
}
QUESTION = "What delays the Larkmere Bridge, and who pays for it?"


def build(workspace: Workspace, name: str, documents: dict[str, str]) -> Corpus:
    """Make a corpus of some documents and build it to the end."""
    corpus = workspace.create(name)
    corpus.add_files((file, text.encode()) for file, text in documents.items())
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    return corpus

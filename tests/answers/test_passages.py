"""The texts themselves as evidence: every sentence once, with who speaks it."""

from __future__ import annotations

from sensemaking.answers.passages import cover_passages, make_passages
from sensemaking.config import ChunkingSettings
from sensemaking.text.chunking import chunk_document
from sensemaking.text.reading import read_file
from sensemaking.types import Document
from tests.records import RealTokenizer, make_graph

THINGS = ("bridge", "ferry", "wall", "crossing", "survey", "budget") * 4
SPEAKERS = ("ADA PENROSE", "TOMAS VELD") * 12
TALK = "\n\n".join(
    f"{speaker}: The {thing} needs new bearings, we say. Nobody has paid for the {thing} so far."
    for speaker, thing in zip(SPEAKERS, THINGS, strict=True)
)


def read(text: str) -> Document:
    _, documents = read_file("talk.txt", text.encode())
    return documents[0]


def passages(document: Document, size: int = 120, overlap: int = 40):
    settings = ChunkingSettings(size=size, overlap=overlap)
    chunks = chunk_document(document, settings, RealTokenizer())
    return chunks, list(make_passages(document, chunks))


def test_every_sentence_is_read_once_although_chunks_overlap() -> None:
    document = read(TALK)
    chunks, blocks = passages(document)
    assert len(chunks) > 3
    cited = [item.citation.spans[0] for block in blocks for item in block.items]
    assert len(cited) == len(set(cited)) == 48
    for span in cited:
        assert document.text[span.start : span.end].startswith(("The ", "Nobody "))


def test_who_speaks_a_sentence_is_said_in_it() -> None:
    _, blocks = passages(read(TALK))
    texts = [item.text for block in blocks for item in block.items]
    assert texts[0] == "Ada Penrose: “The bridge needs new bearings, we say.”"
    assert texts[2].startswith("Tomas Veld: “The ferry")


def test_a_block_counts_at_least_the_tokens_it_has() -> None:
    from sensemaking.context import render_block

    tokenizer = RealTokenizer()
    for size, overlap in ((120, 40), (600, 100), (64, 0)):
        for block in passages(read(TALK), size, overlap)[1]:
            assert tokenizer.count(render_block(block)) <= block.n_tokens


def test_a_text_without_sentences_has_no_passages() -> None:
    document = read("# Only a heading\n")
    assert passages(document)[1] == []


def test_coverage_counts_chunks_and_the_entities_in_them() -> None:
    graph = make_graph(50, 80)
    everything = {chunk for one in graph.entities for chunk in one.chunk_ids}
    whole = cover_passages(everything, graph, len(everything))
    assert whole.n_entities_covered == whole.n_entities == 50
    assert whole.n_chunks_covered == whole.n_chunks
    nothing = cover_passages((), graph, len(everything))
    assert (nothing.n_entities_covered, nothing.n_chunks_covered) == (0, 0)

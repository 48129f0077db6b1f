"""What the README says of the menus is what the program has."""

from __future__ import annotations

from pathlib import Path

from sensemaking.methods import COMMUNITIES, METHODS

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def rows() -> dict[str, str]:
    found = {}
    for line in README.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 2:
            found[cells[0].strip("`")] = cells[1]
    return found


def test_every_method_is_in_the_readme_and_nothing_else() -> None:
    wanted = {one.name: one.sentence for one in (*METHODS.values(), *COMMUNITIES.values())}
    assert rows() == wanted

"""What the options of commands mean: algorithms, levels, kinds of entities, the corpus to build."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import shorten
from typing import TYPE_CHECKING

import typer

from sensemaking.errors import InputError, NotFound

if TYPE_CHECKING:
    from sensemaking.workspace import Corpus, Workspace

DERIVE = "derive"
MOST_DIGITS = 9


def read_algorithms(communities: str | None) -> tuple[str, ...]:
    """Return the algorithms that were asked for, () when none was named."""
    from sensemaking.methods import COMMUNITIES

    if communities is None:
        return ()
    algorithms = tuple(dict.fromkeys(one.strip() for one in communities.split(",") if one.strip()))
    unknown = [one for one in algorithms if one not in COMMUNITIES]
    if unknown or not algorithms:
        raise typer.BadParameter(
            f"{', '.join(unknown) or 'none'}: choose from {', '.join(COMMUNITIES)}",
            param_hint="--communities",
        )
    return algorithms


def open_or_create(
    workspace: Workspace, name: str, algorithms: tuple[str, ...], backend: str | None
) -> Corpus:
    """Return the corpus; what was not asked for stays as it was."""
    try:
        opened = workspace.open_corpus(name)
    except NotFound:
        opened = workspace.create(name)
    settings = opened.settings
    if algorithms and settings.hierarchy.algorithms != algorithms:
        chosen = settings.hierarchy.model_copy(update={"algorithms": algorithms})
        settings = settings.model_copy(update={"hierarchy": chosen})
    if backend is not None:
        settings = settings.model_copy(update={"backend": backend})
    if settings != opened.settings:
        opened.change_settings(settings)
    return opened


def set_kinds(corpus: Corpus, kinds: str) -> None:
    """Look for these kinds of entities from now on, or let the model name them."""
    from sensemaking.config import LanguageSettings

    if kinds.strip() == DERIVE:
        chosen: dict[str, object] = {"derive_kinds": True}
    else:
        named = tuple(one.strip() for one in kinds.split(",") if one.strip())
        chosen = {"derive_kinds": False, "entity_kinds": named}
    told = corpus.settings.language.model_dump() | chosen
    try:
        language = LanguageSettings.model_validate(told)
    except ValueError as error:
        raise typer.BadParameter(f"{kinds[:60]}: {error}", param_hint="--kinds") from error
    if language != corpus.settings.language:
        corpus.change_settings(corpus.settings.model_copy(update={"language": language}))


def read_level(text: str, n_levels: Callable[[], int]) -> int | None:
    """Return the level that `--level` names: None for the leaf view.

    "leaf-1" is the view one level above the deepest; LF, L1 and LF-n are the names of the papers.
    """
    text = text.strip()
    if text.upper() == "L1":
        return max(0, n_levels() - 2)
    if text.upper().startswith("LF"):
        text = f"leaf{text[2:]}"
    if text == "leaf":
        return None
    above = text.removeprefix("leaf-")
    if not above.isdecimal() or len(above) > MOST_DIGITS:
        raise typer.BadParameter(
            f"{shorten(text, 40)}: give 0 (coarsest), 1, …, leaf (LF), leaf-1 (L1) or LF-n",
            param_hint="--level",
        )
    if text == above:
        return int(above)
    deepest = n_levels() - 1
    if int(above) > max(0, deepest):
        raise InputError(
            f"There is no level {text}: the deepest is {deepest}, so the coarsest is "
            f"leaf-{max(0, deepest)}."
        )
    return max(0, deepest - int(above))

"""Conditions of an evaluation: written in one word, read into settings.

`[LABEL=]METHOD[:HIERARCHY[:LEVEL]][?NAME=VALUE&…]` comes in, such as "global",
"C2=global:leiden:2" or "retag:leiden:leaf?topic=Harbour&seed=7"; a condition goes out. A hierarchy
without a point is of the general graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from pydantic import ValidationError

from sensemaking.config import AskSettings
from sensemaking.errors import InputError
from sensemaking.types import Batch, Condition, Question, Scoring, digest

_LEVEL = re.compile(r"\d{1,4}|leaf(?:-\d{1,4})?")
HOW = (
    "Write METHOD, METHOD:HIERARCHY or METHOD:HIERARCHY:LEVEL, such as global:leiden:2; then, if "
    "you want, ?topic=NAME&seed=N&backend=extractive or llm."
)
BACKEND = "backend"
"""The setting that says who answers: it is no setting of the question but of the run."""
BACKENDS = ("extractive", "llm")
MORE = ("topic", "seed", BACKEND, "window_tokens", "reduce_tokens", "max_reports")
"""What can be set behind the question mark."""


def parse_condition(text: str) -> Condition:
    """Return the condition of a word.

    Raises
    ------
    InputError
        When it is not such a word.

    Examples
    --------
    >>> parse_condition("C2=global:leiden:2").settings
    (('hierarchy', 'general.leiden'), ('level', '2'), ('method', 'global'))
    """
    whole, _, extra = text.strip().partition("?")
    label, _, spec = whole.rpartition("=")
    parts = [part.strip() for part in spec.split(":")]
    if len(parts) > 3 or not all(parts):
        raise InputError(f"“{text}” is no condition. {HOW}")
    settings = {"method": parts[0]}
    if len(parts) > 1:
        settings["hierarchy"] = parts[1] if "." in parts[1] else f"general.{parts[1]}"
    if len(parts) > 2:
        if not _LEVEL.fullmatch(parts[2]):
            raise InputError(f"“{text}”: the level is 0 (coarsest), 1, …, leaf or leaf-1. {HOW}")
        settings["level"] = parts[2]
    settings |= _extras(text, extra)
    told = f"{spec.strip()}?{extra.strip()}" if extra.strip() else spec.strip()
    return Condition(label.strip() or told, tuple(sorted(settings.items())))


def _extras(text: str, extra: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in filter(None, (part.strip() for part in extra.split("&"))):
        name, _, value = (part.strip() for part in one.partition("="))
        if name not in MORE or not value:
            raise InputError(f"“{text}”: “{one}” is none of {', '.join(MORE)}. {HOW}")
        if name == BACKEND and value not in BACKENDS:
            raise InputError(f"“{text}”: the backend is one of {', '.join(BACKENDS)}.")
        found[name] = value
    return found


def backend_of(condition: Condition) -> str:
    """Return who is to answer under a condition, "" for the backend of the corpus."""
    return dict(condition.settings).get(BACKEND, "")


def parse_conditions(texts: Sequence[str]) -> tuple[Condition, ...]:
    """Return the conditions of words; each label once.

    Raises
    ------
    InputError
        When a word is none, or two have the same label.
    """
    found = [parse_condition(text) for text in texts if text.strip()]
    labels = [one.label for one in found]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise InputError(
            f"The label “{twice[0]}” is given twice: put a label before one, as in B={twice[0]}."
        )
    return tuple(found)


def settings_of(
    condition: Condition,
    n_levels: Callable[[str], int],
    defaults: Mapping[str, object] | None = None,
) -> AskSettings:
    """Return how a question is asked under a condition.

    `n_levels` counts the levels of a hierarchy; `defaults` are the method's own.

    Raises
    ------
    InputError
        When a setting is not known or has an impossible value.
    """
    chosen: dict[str, object] = {**(defaults or {}), **dict(condition.settings)}
    chosen.pop(BACKEND, None)
    level = str(chosen.pop("level", "leaf"))
    if level.startswith("leaf-"):
        hierarchy = str(chosen.get("hierarchy", AskSettings().hierarchy))
        chosen["level"] = max(0, n_levels(hierarchy) - 1 - int(level.removeprefix("leaf-")))
    elif level != "leaf":
        chosen["level"] = int(level)
    try:
        return AskSettings.model_validate(chosen)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            f"The condition “{condition.label}” cannot be used: {first['loc'][0]}: {first['msg']}."
        ) from error


def make_batch(
    name: str,
    questions: Sequence[Question],
    conditions: Sequence[Condition],
    *,
    criteria: Sequence[str],
    judges: Sequence[str],
    baseline: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    replicates: int = 1,
    scoring: Scoring = "mean",
    is_differential: bool = False,
) -> Batch:
    """Return a batch; all pairs are compared, those given, or with `baseline` those that have it.

    Raises
    ------
    InputError
        When there is no question, no condition, or a baseline that is none of them.
    """
    labels = [one.label for one in conditions]
    if not questions or not labels:
        raise InputError("An evaluation needs at least one question and one method.")
    if baseline is not None and baseline not in labels:
        raise InputError(f"The baseline “{baseline}” is none of {', '.join(labels)}.")
    chosen = combinations(labels, 2) if pairs is None else pairs
    pairs = tuple(pair for pair in chosen if baseline is None or baseline in pair)
    parts = (
        [f"{one.id}\n{one.text}" for one in questions],
        [f"{one.label}\n{one.settings}" for one in conditions],
        [f"{one}\n{other}" for one, other in pairs],
        list(criteria),
        list(judges),
    )
    key = digest("batch", *parts, replicates, scoring, int(is_differential))
    return Batch(
        id=key,
        name=name,
        questions=tuple(questions),
        conditions=tuple(conditions),
        pairs=pairs,
        criteria=tuple(criteria),
        judges=tuple(judges),
        replicates=replicates,
        scoring=scoring,
        is_differential=is_differential,
    )

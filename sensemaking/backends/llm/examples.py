"""Telling what a model copied from the example in its prompt from what it read in its data.

Small models repeat examples. A name or a statement that stands in the example of the prompt and not
in the data says nothing about the documents.
"""

from __future__ import annotations

from functools import cache

from sensemaking.prompts import template

LEAST_CHARACTERS = 3


def stands_in_example(text: str, prompt: str) -> bool:
    """Return whether a text stands in the example of a prompt, but for letter case and spaces.

    Examples
    --------
    >>> stands_in_example("odile marsh", "extract"), stands_in_example("entities", "judge")
    (True, False)
    """
    folded = _fold(text).rstrip(".")
    return len(folded) >= LEAST_CHARACTERS and folded in _example(prompt)


@cache
def _example(prompt: str) -> str:
    # Before the first example stand instructions, in words that anybody may use.
    return _fold(template(prompt).partition("\nExample ")[2])


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())

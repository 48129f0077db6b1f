"""Prompts as text files, filled in with `render`.

A template is Markdown with `{{name}}` where a value goes. Values are put in once and are never read
as templates themselves, so nothing in a document can ask for another value.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from sensemaking.types import digest

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def render(name: str, **values: str) -> str:
    """Return the template `name`.md with its places filled.

    Raises
    ------
    KeyError
        When the template has a place without a value, or a value has no place.

    Examples
    --------
    >>> render("nothing_missed").startswith("Did you")
    True
    """
    text = template(name)
    unused = set(values) - set(_PLACE.findall(text))
    if unused:
        raise KeyError(f"{name}.md has no place for {', '.join(sorted(unused))}")
    return _PLACE.sub(lambda place: values[place[1]], text)


@cache
def template(name: str) -> str:
    """Return a template as it is written."""
    return resources.files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


def version(*names: str) -> str:
    """Return a digest of templates: it enters the key of whatever is written with them."""
    return digest("prompts", [template(name) for name in names])

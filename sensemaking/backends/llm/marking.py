"""Text handed to a model as data: between marks that the text itself cannot hold.

A mark carries a code from the digest of the text. Whoever writes a document cannot know the code of
a text that holds it, so a document cannot end its own data and go on as an instruction.
"""

from __future__ import annotations

from sensemaking.types import digest

_CODE_LENGTH = 8


def mark(name: str, text: str) -> str:
    r"""Return the text between its marks.

    Examples
    --------
    >>> mark("NOTE", "Two lines\nof text.").splitlines()[1:-1]
    ['Two lines', 'of text.']
    """
    code = digest("mark", name, text)[:_CODE_LENGTH]
    while code in text:
        code = digest("mark", code)[:_CODE_LENGTH]
    return f"<<<{name} {code}>>>\n{text}\n<<<END {name} {code}>>>"

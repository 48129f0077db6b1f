"""A corpus that cannot be changed now: who holds it, since when, what still works."""

from __future__ import annotations

from pages import _look as look
from sensemaking.workspace import Corpus


def draw_held(corpus: Corpus) -> None:
    """Draw that a corpus is only to be read, where it is."""
    holder = corpus.held_elsewhere()
    if holder:
        look.draw(
            f'<div role="status">{look.sign("Built by another program", "warn")}'
            f'<p class="sm-s">{look.esc(holder.capitalize())}. It is followed here; stop it there. '
            "You can read and ask; building and deleting wait until it is done.</p></div>"
        )
    elif corpus.is_read_only:
        look.draw(
            f'<div role="status">{look.sign("Read-only", "warn")}'
            f'<p class="sm-s">The folder {look.esc(corpus.folder)} cannot be written. You can read '
            "and ask; new answers are not kept, and nothing can be added or built.</p></div>"
        )

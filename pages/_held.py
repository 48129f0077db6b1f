"""What cannot be changed now: where nothing can be written, or another program builds."""

from __future__ import annotations

from pages import _look as look
from pages import _session as session
from sensemaking.workspace import Corpus


def draw_held(corpus: Corpus) -> None:
    """Draw that another program builds a corpus, where it does."""
    holder = corpus.held_elsewhere()
    if holder:
        _draw(
            "Built by another program",
            f"{holder.capitalize()}. It is followed here; stop it there. You can read and ask; "
            "building and deleting wait until it is done.",
        )


def draw_read_only(corpus: Corpus | None) -> None:
    """Draw on any page that nothing can be written: in the corpus at hand, or anywhere here."""
    if corpus is not None and corpus.is_read_only:
        _draw(
            "Read-only",
            f"The folder {corpus.folder} cannot be written. You can read and ask; new answers are "
            "not kept, and nothing can be added, changed or built.",
        )
    elif session.workspace().is_read_only:
        _draw(
            "Read-only",
            f"The folder {session.workspace().home} cannot be written: no corpus can be made, "
            "renamed or put in the trash, and no setting can be kept.",
        )


def _draw(word: str, note: str) -> None:
    look.draw(
        f'<div role="status">{look.sign(word, "warn")}<p class="sm-s">{look.esc(note)}</p></div>'
    )

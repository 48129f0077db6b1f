"""Claims about entities, each once."""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.graph.entities import EntityTable
from sensemaking.graph.reading import Reading
from sensemaking.types import Claim, MentionedClaim, digest


def make_claims(
    reading: Reading, keys: Sequence[str], table: EntityTable, kept: set[str]
) -> tuple[Claim, ...]:
    """Return the claims whose subject (or else object) is an entity of the graph.

    Claims of the same ends, kind and wording are one, with the evidence of all.
    """
    found: dict[str, Claim] = {}
    speakers = {row.span: row.speaker for row in reading.sentences if row.speaker}
    for chunk, extraction, forms in zip(
        reading.chunks, reading.extractions, reading.form_of, strict=True
    ):
        for stated in extraction.claims:
            ends = _ends(stated, forms, keys, table, kept)
            if ends is None:
                continue
            identity = digest(
                ends[0], ends[1] or "", stated.kind, " ".join(stated.description.casefold().split())
            )
            before = found.get(identity)
            spans = stated.spans if before is None else before.spans + stated.spans
            chunks = (chunk.id,) if before is None else (*before.chunk_ids, chunk.id)
            found[identity] = Claim(
                id=identity,
                subject_id=ends[0],
                object_id=ends[1],
                kind=stated.kind,
                status=stated.status if before is None else before.status,
                description=stated.description if before is None else before.description,
                spans=tuple(dict.fromkeys(spans)),
                chunk_ids=tuple(sorted(set(chunks))),
                start_date=stated.start_date if before is None else before.start_date,
                end_date=stated.end_date if before is None else before.end_date,
                speaker=speakers.get(spans[0], "") if spans else "",
            )
    return tuple(found[identity] for identity in sorted(found))


def _ends(
    stated: MentionedClaim,
    forms: Sequence[int],
    keys: Sequence[str],
    table: EntityTable,
    kept: set[str],
) -> tuple[str, str | None] | None:
    ids = []
    for mention in (stated.subject, stated.object):
        position = None if mention is None else table.index.get(keys[forms[mention]])
        identity = None if position is None else table.entities[position].id
        ids.append(identity if identity in kept else None)
    subject, other = ids
    if subject is None:
        subject, other = other, None
    if subject is None:
        return None
    return subject, other if other != subject else None

"""Names that the recogniser took for persons or places, and are not.

"in Bitcoin", "on Coursera", "a Roomba", "the Old Ropeworks": persons are seldom spoken of like
that. The words before the occurrences of a name decide whether it stays a person; and a single name
that people are "at" rather than "in" is an institution, not a place.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from sensemaking.graph.forms import is_person_name, person_parts
from sensemaking.graph.reading import Reading

SHARE_OF_SINGLE, SHARE_OF_FULL = 0.12, 0.5
"""Of occurrences after such a word, from which on a name (of one word, of several) is no person."""
_SAMPLE = 60
_BEFORE = re.compile(
    r"\b(at|in|on|into|onto|using|via|through|a|an|the|join|joined)\s$", re.IGNORECASE
)


def settle_persons(
    reading: Reading,
    keys: Sequence[str],
    kinds: dict[str, str],
    votes: dict[str, Counter[str]],
    speakers: Sequence[str],
) -> dict[str, str]:
    """Return new kinds for names of "persons" that are used like things or places."""
    bearers = {
        part
        for key, kind in kinds.items()
        if kind == "person" and is_person_name(parts := person_parts(key))
        for part in (parts[0], parts[-1])
    }
    suspects = {key for key, kind in kinds.items() if kind == "person"} - bearers - set(speakers)
    suspects |= {key for key, kind in kinds.items() if kind == "place" and " " not in key}
    before: dict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for form, key in zip(reading.forms, keys, strict=True):
        if key not in suspects:
            continue
        text = reading.documents[form.document].text
        for span in form.spans[:_SAMPLE]:
            totals[key] += 1
            match = _BEFORE.search(text, max(0, span.start - 9), span.start)
            if match:
                before[key][match[1].lower()] += 1
    settled = {}
    for key in sorted(before):
        if kinds[key] == "place":
            if before[key]["at"] + before[key]["join"] > before[key]["in"] + before[key]["the"]:
                settled[key] = "organisation"
            continue
        share = SHARE_OF_FULL if " " in key else SHARE_OF_SINGLE
        if before[key].total() >= max(share * totals[key], 1):
            settled[key] = _other_kind(votes[key], before[key])
    return settled


def _other_kind(votes: Counter[str], before: Counter[str]) -> str:
    others = {kind: votes[kind] for kind in votes if kind not in ("person", "concept", "phrase")}
    if others:
        return max(sorted(others), key=lambda kind: others[kind])
    if before["in"]:
        return "place" if before["in"] >= before["at"] else "organisation"
    return "organisation" if before["at"] + before["join"] + before["joined"] else "product"

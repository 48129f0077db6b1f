"""Statements put under headings: what they share names the group.

Statements come in, most helpful first; out go groups with headings made of terms that the
statements contain. Every statement is in exactly one group.
"""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.backends.extractive.ranking import Matrix
from sensemaking.backends.extractive.statements import Statement
from sensemaking.backends.extractive.themes import distinct_terms, join_terms

MAX_GROUPS = 6
FURTHER = "Further points"
_TOO_COMMON = 0.5
"""A term in more than this share of the statements sets nothing apart."""
_RELATED = 0.06

Group = tuple[str, list[int]]


def group_by_term(statements: Sequence[Statement], cosines: Matrix) -> list[Group]:
    """Return up to six groups, each under one or two of its terms, the most helpful first.

    Notes
    -----
    Greedy: the term that covers most of the helpfulness still without a group makes the next one.
    What no term covers joins the group it resembles most, or stands under "Further points".
    """
    covers = _covers(statements)
    free = set(range(len(statements)))
    groups: list[tuple[str, list[int]]] = []
    while free and len(groups) < MAX_GROUPS:
        gains = sorted(
            (
                -sum(statements[at].helpfulness for at in members & free)
                * (1.0 if term.islower() and " " not in term else 1.3),
                term,
            )
            for term, members in covers.items()
            if len(members & free) > 1
        )
        if not gains:
            break
        term = gains[0][1]
        members = sorted(covers[term] & free)
        groups.append((term, members))
        free -= set(members)
    leftover: list[int] = []
    for at in sorted(free):
        likeness = [float(cosines[at, members].mean()) for _, members in groups]
        best = max(range(len(groups)), key=lambda index: (likeness[index], -index), default=-1)
        if best >= 0 and likeness[best] >= _RELATED:
            groups[best][1].append(at)
        else:
            leftover.append(at)
    named = [
        (_name(term, members, statements, covers), sorted(members)) for term, members in groups
    ]
    named.sort(key=lambda group: group[1][0])
    return named + ([(FURTHER if named else "", leftover)] if leftover else [])


def group_by_speaker(statements: Sequence[Statement], least: int = 1) -> list[Group]:
    """Return one group per speaker, in order of their most helpful statement.

    What nobody is known to say, and speakers with fewer than `least` statements, come last.
    """
    groups: dict[str, list[int]] = {}
    for at, one in enumerate(statements):
        groups.setdefault(one.speaker, []).append(at)
    found = [
        (speaker, members)
        for speaker, members in groups.items()
        if speaker and len(members) >= least
    ]
    named = {at for _, members in found for at in members}
    rest = [at for at in range(len(statements)) if at not in named]
    return found + ([(FURTHER if found else "", rest)] if rest else [])


def group_by_heading(statements: Sequence[Statement]) -> list[Group]:
    """Return the statements by the heading of their point, the most helpful first."""
    groups: dict[str, list[int]] = {}
    for at, one in enumerate(statements):
        groups.setdefault(one.heading, []).append(at)
    return list(groups.items())


def _covers(statements: Sequence[Statement]) -> dict[str, set[int]]:
    folded = [f"{one.text} {' '.join(one.terms)}".casefold() for one in statements]
    found: dict[str, set[int]] = {}
    spelt: dict[str, str] = {}
    speakers = {one.speaker.casefold() for one in statements}
    for one in statements:
        for term in one.terms:
            key = term.casefold()
            if key in spelt or key in speakers or (len(term) < 3 and not term.isupper()):
                continue
            spelt[key] = term
            members = {at for at, text in enumerate(folded) if key in text}
            if len(members) <= max(3, _TOO_COMMON * len(statements)):
                found[term] = members
    return found


def _name(
    term: str,
    members: Sequence[int],
    statements: Sequence[Statement],
    covers: dict[str, set[int]],
) -> str:
    """Return the term, with the next term that half of the members share."""
    others: dict[str, int] = {}
    for at in members:
        for other in statements[at].terms:
            if other.casefold() != term.casefold() and other in covers:
                others[other] = others.get(other, 0) + 1
    frequent = sorted(
        (other for other, count in others.items() if 2 * count >= len(members) and count > 1),
        key=lambda other: (-others[other], other),
    )
    return join_terms(distinct_terms([term, *frequent], 2) or [term])

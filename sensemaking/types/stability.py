"""How far a hierarchy can be trusted: what stays when it is made again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LevelStability:
    """One level (0 = coarsest) over all runs; pairs are (smallest, largest).

    `rand` and `information` are the means over pairs of runs of the adjusted Rand index and of the
    normalised mutual information (0-1), `lowest_rand` the smallest of the former. `partitions`
    counts the different ones among the runs.
    """

    level: int
    communities: tuple[int, int]
    rand: float
    lowest_rand: float
    information: float
    modularity: tuple[float, float]
    partitions: int


@dataclass(frozen=True, slots=True)
class Trial:
    """A hierarchy made again `runs` times (of `wanted`, when time ran out).

    `drop` is the share of relationships left out in each run, in percent; 0 where only the seed
    differs. `kept` has one entry per community of the hierarchy: in how many runs a community has
    nearly the same members. `mates` has one per entity: the share (0-1) of an entity's leaf mates
    that it keeps from run to run; None where it never had any.
    """

    drop: float
    runs: int
    wanted: int
    levels: tuple[LevelStability, ...]
    kept: tuple[int, ...]
    mates: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class LeafCoverage:
    """How many leaves there are, and how many tokens of the chunks they reach through a report.

    The overlap of chunks counts in both.
    """

    leaves: int
    tokens: int
    tokens_reached: int


@dataclass(frozen=True, slots=True)
class Stability:
    """All trials of one hierarchy; `id` is its key.

    `community_ids` and `entity_ids` say what the entries of `Trial.kept` and `Trial.mates` are
    about.
    """

    id: str
    algorithm: str
    community_ids: tuple[str, ...]
    entity_ids: tuple[str, ...]
    trials: tuple[Trial, ...]


@dataclass(frozen=True, slots=True)
class DealtTies:
    """What is left of a hierarchy's leaves when relationships are dealt to them in turn (RRTC).

    `order`, `percent`, `base` and `tokens` are the settings. `n_eligible` relationships lie
    inside a leaf, `n_chosen` of them were dealt. `leaf_tokens` are those of the rows of all leaves
    after it, `whole_tokens` before it.
    """

    order: str
    percent: int
    base: str
    tokens: int | None
    n_eligible: int
    n_chosen: int
    leaf_tokens: int
    whole_tokens: int

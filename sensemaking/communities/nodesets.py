"""Many sets of nodes in two arrays, and the components that edges make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NodeSets:
    """Set i is `nodes[starts[i]:starts[i + 1]]`; sets may overlap and be empty."""

    starts: Ints
    nodes: Ints

    @classmethod
    def of_sizes(cls, sizes: Ints, nodes: Ints) -> NodeSets:
        """Return the sets that follow each other in `nodes`."""
        return cls(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), nodes)

    @classmethod
    def of_labels(cls, labels: Ints) -> NodeSets:
        """Return the nodes of each label, from 0; nodes with a negative label are in no set."""
        order = np.argsort(labels, kind="stable")
        order = order[np.searchsorted(labels[order], 0) :]
        return cls.of_sizes(np.bincount(labels[order]), order)

    @classmethod
    def of_pairs(cls, n_sets: int, owners: Ints, nodes: Ints) -> NodeSets:
        """Return sorted sets, without repetition, from (set, node) pairs."""
        width = int(nodes.max(initial=0)) + 1
        codes = distinct(owners * width + nodes)
        return cls.of_sizes(np.bincount(codes // width, minlength=n_sets), codes % width)

    @classmethod
    def of_lists(cls, sets: Sequence[Sequence[int]]) -> NodeSets:
        """Return the given sets."""
        sizes = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
        flat = (node for one in sets for node in one)
        return cls.of_sizes(sizes, np.fromiter(flat, dtype=np.int64, count=int(sizes.sum())))

    @classmethod
    def of_singles(cls, nodes: Ints) -> NodeSets:
        """Return one set per node."""
        return cls(np.arange(len(nodes) + 1), nodes)

    @classmethod
    def concatenate(cls, first: NodeSets, second: NodeSets) -> NodeSets:
        """Return all sets of the first, then all of the second."""
        sizes = np.concatenate([first.sizes, second.sizes])
        return cls.of_sizes(sizes, np.concatenate([first.nodes, second.nodes]))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> Ints:
        return self.nodes[self.starts[index] : self.starts[index + 1]]

    def __iter__(self) -> Iterator[Ints]:
        return (self[index] for index in range(len(self)))

    @property
    def sizes(self) -> Ints:
        """Return the size of each set."""
        return np.diff(self.starts)

    @property
    def owners(self) -> Ints:
        """Return for each of `nodes` the set that it is in."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def take(self, indices: Ints) -> NodeSets:
        """Return some of the sets, in the order of `indices`.

        >>> NodeSets.of_lists([[1, 2], [3], [4, 5]]).take(np.array([2, 0])).nodes.tolist()
        [4, 5, 1, 2]
        """
        sizes = self.sizes[indices]
        ends = np.cumsum(sizes)
        offsets = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        return NodeSets.of_sizes(
            sizes, self.nodes[np.repeat(self.starts[:-1][indices], sizes) + offsets]
        )

    def to_lists(self) -> list[list[int]]:
        """Return the sets as lists."""
        nodes, bounds = self.nodes.tolist(), self.starts.tolist()
        return [nodes[start:end] for start, end in zip(bounds, bounds[1:], strict=False)]


def distinct(values: Ints) -> Ints:
    """Return the values once each, sorted; many times faster than `np.unique` on a million."""
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def label_components(n: int, sources: Ints, targets: Ints) -> Ints:
    """Return the number of the component of each of n nodes, numbered by their smallest node.

    >>> label_components(4, np.array([1]), np.array([3])).tolist()
    [0, 1, 2, 1]
    """
    if not n:
        return np.zeros(0, dtype=np.int64)
    ones = np.ones(len(sources))
    # Imported when first used: half a second that no other command needs.
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    _, labels = connected_components(coo_matrix((ones, (sources, targets)), (n, n)), directed=False)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    found: Ints = rank[inverse]
    return found

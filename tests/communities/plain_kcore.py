"""The k-core heuristics written down a second time, as plainly as the definitions allow.

Slow, over sets, level by level and group by group; the fast ones are compared with it.
"""

import networkx as nx


def fold(edges, n, max_size, merging=()):
    """Return [level, kind, shell, members] in canonical order, from edges between 0 … n - 1."""
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    cores = nx.core_number(graph)
    found = []  # (level, kind, shell, members, parent)
    pool = []
    for component in nx.connected_components(graph):
        if len(component) > 1:
            _fold_component(graph, cores, component, max_size, found, pool)
    members = [set(one[3]) for one in found]
    parents = [one[4] for one in found]
    leaves = {i for i in range(len(found)) if i not in parents}
    pairs = {i for i in leaves if found[i][1] in merging and len(members[i]) == 2}

    clusters = {i: set(members[i]) for i in leaves - pairs}
    created = {i: (len(members[i]), sorted(members[i])) for i in leaves}
    waiting = {i: members[i] for i in pairs}
    gone = set()
    while waiting:
        i = _next(graph, clusters, waiting)
        target = _target(graph, clusters, created, waiting[i])
        if target is None:
            clusters[i] = set(waiting[i])
        else:
            clusters[target] |= waiting[i]
            gone.add(i)
            _join(members, parents, target, waiting[i])
        del waiting[i]
    placed = {node for i in leaves - gone for node in found[i][3]}
    waiting = {(node,): {node} for node in pool if node not in placed}
    while waiting:
        key = _next(graph, clusters, waiting)
        target = _target(graph, clusters, created, waiting[key])
        clusters[target] |= waiting[key]
        _join(members, parents, target, waiting.pop(key))
    kinds = ["core", "residual", "two-hop"]
    rows = [
        [level, kind, shell, sorted(members[i])]
        for i, (level, kind, shell, _, _) in enumerate(found)
        if i not in gone
    ]
    return sorted(rows, key=lambda row: (row[0], kinds.index(row[1]), row[3]))


def _fold_component(graph, cores, component, max_size, found, pool):
    top = max(cores[node] for node in component)
    queue = [(None, component)]
    for k in range(1, top + 1):
        following = []
        for parent, nodes in queue:
            singles = []
            for is_core in (True, False):
                part = {node for node in nodes if (cores[node] >= k) == is_core}
                for one in nx.connected_components(graph.subgraph(part)):
                    whole = len(one) <= max_size or (is_core and k < top)
                    for chunk in [one] if whole else split(graph, one, max_size):
                        if len(chunk) == 1:
                            singles += chunk
                            continue
                        shell = k if is_core else min(cores[node] for node in chunk)
                        if is_core:
                            following.append((len(found), chunk))
                        kind = "core" if is_core else "residual"
                        found.append((k - 1, kind, shell, frozenset(chunk), parent))
            _add_groups(graph, cores, (k, parent, nodes), singles, max_size, found, pool)
        queue = following


def _add_groups(graph, cores, place, singles, max_size, found, pool):
    k, parent, nodes = place
    for group in two_hop_groups(graph, singles):
        parts = [(group, set())]
        if len(group) > max_size:
            parts = split_two_hop(graph, group, max_size)
        for members, anchors in parts:
            whole = members | (anchors & set(nodes))
            if len(whole) == 1:
                pool += whole
            else:
                shell = min(cores[node] for node in members)
                found.append((k - 1, "two-hop", shell, frozenset(whole), parent))


def split(graph, nodes, max_size):
    remaining = set(nodes)
    degree = {node: len(set(graph[node]) & remaining) for node in nodes}
    chunks = []
    while remaining:
        chunk = {min(remaining, key=lambda node: (-degree[node], node))}
        remaining -= chunk
        while len(chunk) < max_size:
            frontier = {other for node in chunk for other in graph[node]} & remaining
            if not frontier:
                break
            best = min(frontier, key=lambda node: (-len(set(graph[node]) & chunk), node))
            chunk.add(best)
            remaining.discard(best)
        chunks.append(chunk)
    return chunks


def two_hop_groups(graph, singles):
    near = nx.Graph()
    near.add_nodes_from(singles)
    for node in singles:
        reach = set(graph[node]) | {far for other in graph[node] for far in graph[other]}
        near.add_edges_from((node, other) for other in reach & set(singles))
    return sorted(nx.connected_components(near), key=min)


def split_two_hop(graph, group, max_size):
    remaining = set(group)
    parts = []
    while remaining:
        seed = min(remaining, key=lambda node: (-len(graph[node]), node))
        members = {seed}
        remaining.discard(seed)
        while len(members) < max_size:
            gains = {
                node: sum(len(set(graph[node]) & set(graph[member])) for member in members)
                for node in remaining
            }
            best = min(remaining, key=lambda node: (-gains[node], node), default=None)
            if best is None or not gains[best]:
                break
            members.add(best)
            remaining.discard(best)
        around = {anchor for node in members for anchor in graph[node]} - members
        parts.append((members, {one for one in around if len(set(graph[one]) & members) >= 2}))
    return parts


def _next(graph, clusters, waiting):
    placed = set().union(*clusters.values())

    def rank(key):
        around = {other for node in waiting[key] for other in graph[node]} - waiting[key]
        return -len(around & placed), sorted(waiting[key])

    return min(waiting, key=rank)


def _target(graph, clusters, created, nodes):
    around = [other for node in nodes for other in graph[node] if other not in nodes]
    scores = {
        key: (
            -len(set(around) & members),
            -sum(other in members for other in around),
            created[key],
            key,
        )
        for key, members in clusters.items()
        if members & set(around)
    }
    return min(scores, key=scores.get, default=None)


def _join(members, parents, leaf, nodes):
    while leaf is not None:
        members[leaf] |= nodes
        leaf = parents[leaf]

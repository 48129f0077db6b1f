import json
import random
from collections import Counter

import pytest

from sensemaking.communities import find_communities, find_core_numbers
from sensemaking.config import HierarchySettings, RoundRobinSettings
from sensemaking.context import (
    HEADER,
    HEADER_TOKENS,
    LeafQueue,
    average_tokens,
    choose_in_turn,
    deal_in_turn,
    make_rows,
    pack_greedily,
    pack_in_order,
    pack_shuffled,
    render_block,
)
from sensemaking.methods import COMMUNITIES
from sensemaking.types import Citation, Claim, ContextBlock, ContextItem
from tests.records import RealTokenizer, make_graph

ENCODINGS = ["o200k_base", "cl100k_base"]


def make_blocks(n, size=100, n_items=2):
    return [
        ContextBlock(
            id=f"b{i:03d}",
            title=f"Block {i}",
            text=f"# Block {i}\n",
            n_tokens=size,
            rating=float(i % 3),
            weight=i % 5,
            items=tuple(
                ContextItem(
                    j + 1, f"Heading {j}", "Text\nof two lines.", Citation("finding", f"{i} {j}")
                )
                for j in range(n_items)
            ),
        )
        for i in range(n)
    ]


def test_packing_in_order_stops_at_the_first_that_does_not_fit():
    assert pack_in_order([3, 3, 5, 1], 8) == 2
    assert pack_in_order([9, 1], 8) == 0
    assert pack_in_order([4, 4], 8) == 2
    assert pack_in_order([], 8) == 0


def test_an_item_over_the_window_is_sent_alone_and_uncut():
    assert pack_greedily([20, 1, 1, 20, 20], 8) == [[0], [1, 2], [3], [4]]
    assert pack_greedily([], 8) == []


def test_windows_hold_every_block_once_and_keep_to_their_size():
    windows = pack_shuffled(make_blocks(50), 1000, seed=86)
    assert sorted(block.id for window in windows for block in window.blocks) == [
        block.id for block in make_blocks(50)
    ]
    assert [window.index for window in windows] == list(range(len(windows)))
    for window in windows:
        assert window.n_tokens == HEADER_TOKENS + 100 * len(window.blocks) <= 1000
    assert {len(window.blocks) for window in windows[:-1]} == {9}  # the header takes the tenth


def test_the_seed_and_nothing_else_decides_the_shuffle():
    blocks = make_blocks(40)
    shuffled = random.Random(5).sample(blocks, len(blocks))
    assert pack_shuffled(blocks, 1000, 86) == pack_shuffled(shuffled, 1000, 86)
    assert pack_shuffled(blocks, 1000, 86) != pack_shuffled(blocks, 1000, 87)


def test_blocks_of_a_window_stand_by_weight_then_rating():
    (window,) = pack_shuffled(make_blocks(20), 10_000, 86)
    order = [(block.weight, block.rating) for block in window.blocks]
    assert order == sorted(order, reverse=True)


def test_item_numbers_are_unique_in_their_window_and_stand_in_its_text():
    for window in pack_shuffled(make_blocks(20), 1000, 86):
        items = [item for block in window.blocks for item in block.items]
        assert [item.number for item in items] == list(range(1, len(items) + 1))
        lines = window.text.splitlines()
        for item in items:
            assert f"[{item.number}] {item.heading}: Text of two lines." in lines
        assert window.text.startswith(HEADER)
        assert all(render_block(block) in window.text for block in window.blocks)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_header_is_not_longer_than_said(encoding):
    assert 0 < RealTokenizer(encoding).count(HEADER) <= HEADER_TOKENS


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_row_counts_add_up_to_the_count_of_the_text(encoding):
    tokenizer = RealTokenizer(encoding)
    graph = make_graph(150, 300, seed=3, claims=80)
    table = make_rows(graph, tokenizer)
    text, expected = "", 0
    for number, row in enumerate(table.rows.values(), start=1):
        text += f"[E{number}] {row.text}\n"
        expected += table.label_tokens("E", number) + row.n_tokens
    assert tokenizer.count(text) == expected
    assert "\n" not in "".join(row.text for row in table.rows.values())


def test_relationships_stand_by_combined_degree_then_id():
    graph = make_graph(60, 150, seed=1)
    table = make_rows(graph, RealTokenizer())
    keys = [
        (-graph.degrees[one.source_id] - graph.degrees[one.target_id], one.id)
        for one in table.relationships
    ]
    assert keys == sorted(keys)
    assert sorted(position for ones in table.starting.values() for position in ones) == list(
        range(150)
    )


def test_a_claim_says_what_is_known_about_it_and_no_more():
    graph = make_graph(2, 1, seed=2)
    name = " ".join(graph.entities[0].name.split())
    claims = (
        Claim("c1", "e00000", None, "change", "true", "It grew.", (), ()),
        Claim("c2", "e00000", None, "date", "suspected", "It fell.", (), (), "2020", "2021", "Ann"),
    )
    table = make_rows(
        type(graph)("general", graph.entities, graph.relationships, claims), RealTokenizer()
    )
    assert table.rows["c1"].text == f"{name}: It grew. (change)"
    assert table.rows["c2"].text == (
        f"{name}: It fell. (date, suspected, 2020 to 2021, said by Ann)"
    )


def test_evidence_digests_change_with_what_a_row_does_not_show():
    from dataclasses import replace

    graph = make_graph(5, 4, seed=2)
    other = replace(graph.entities[0], chunk_ids=("elsewhere",))
    changed = type(graph)("general", (other, *graph.entities[1:]), graph.relationships, ())
    before, after = (make_rows(one, RealTokenizer()) for one in (graph, changed))
    assert before.rows == after.rows
    differing = {key for key in before.evidence if before.evidence[key] != after.evidence[key]}
    assert differing == {other.id}


def test_dealing_visits_the_highest_shell_first_and_passes_over_what_is_taken():
    leaves = [
        LeafQueue("b", 3, (0, 1, 2)),
        LeafQueue("a", 3, (3, 1)),
        LeafQueue("c", 1, (1, 4)),
    ]

    def one(leaf, edge):
        return 1

    assert deal_in_turn(leaves, "A", 9, one) == [
        ("a", 3),
        ("b", 0),
        ("c", 1),
        ("b", 2),
        ("c", 4),
    ]
    assert deal_in_turn(leaves, "B", 9, one) == [
        ("a", 3),
        ("b", 0),
        ("a", 1),
        ("b", 2),
        ("c", 4),
    ]
    assert deal_in_turn(leaves, "A", 2, one) == [("a", 3), ("b", 0)]
    assert deal_in_turn(leaves, "A", 0, one) == []


def test_the_first_relationship_that_does_not_fit_ends_the_dealing():
    leaves = [LeafQueue("a", 1, (0, 1, 2))]
    assert deal_in_turn(leaves, "A", 5, lambda leaf, edge: [3, 4, 1][edge]) == [("a", 0)]


@pytest.mark.shared_data
@pytest.mark.parametrize("graph", ["g1_fig1_like16", "g2_karate", "g10_two_lobes"])
def test_dealing_meets_the_references(graph, shared_data):
    """Both orders and both bases on all leaf sets of the reference files."""
    data = json.loads((shared_data / "reference" / f"rrtc_{graph}.json").read_text())
    raw = json.loads((shared_data / "reference" / f"kcore_{graph}.json").read_text())
    edges = [(min(edge), max(edge)) for edge in raw["edges"]]
    degree = Counter(node for edge in edges for node in edge)
    n_checked = 0
    for case in data["cases"]:
        leaves = []
        for one in case["communities"]:
            nodes = set(one["nodes"])
            inside = [n for n, (u, v) in enumerate(edges) if u in nodes and v in nodes]
            inside.sort(key=lambda n: (-degree[edges[n][0]] - degree[edges[n][1]], edges[n]))
            leaves.append(LeafQueue(f"{one['id']:05d}", one["shell"], tuple(inside)))
        assert len({n for leaf in leaves for n in leaf.edges}) == case["eligible_edges"]
        for base in ("budgets_of_graph_edges", "budgets_of_eligible_edges"):
            for expected in case[base].values():
                for order in "AB":
                    dealt = deal_in_turn(
                        leaves, order, expected["budget_edges"], lambda leaf, edge: 1
                    )
                    assert [[int(leaf), *edges[n]] for leaf, n in dealt] == expected[
                        f"order_{order}"
                    ]["selected_community_u_v"]
                    n_checked += 1
    assert n_checked


def choose(graph, algorithm="rkh", **settings):
    hierarchy = find_communities(
        graph, algorithm=COMMUNITIES[algorithm], settings=HierarchySettings()
    )
    table = make_rows(graph, RealTokenizer())
    chosen = choose_in_turn(
        hierarchy, table, RoundRobinSettings(**settings), find_core_numbers(graph)
    )
    return hierarchy, table, chosen


@pytest.mark.parametrize("algorithm", COMMUNITIES)
@pytest.mark.parametrize("order", ["A", "B"])
def test_any_hierarchy_can_be_dealt_to(algorithm, order):
    graph = make_graph(80, 160, seed=5)
    hierarchy, table, chosen = choose(graph, algorithm, order=order, percent=60, base="eligible")
    assert chosen.budget == 60 * chosen.n_eligible // 100 == chosen.spent == chosen.n_chosen
    assert chosen.binds
    everything = [edge for edges in chosen.chosen.values() for edge in edges]
    assert len(everything) == len(set(everything)) == chosen.n_chosen
    for leaf in hierarchy.leaves:
        for position in chosen.chosen[leaf.id]:
            one = table.relationships[position]
            assert {one.source_id, one.target_id} <= set(leaf.entity_ids)


def test_a_budget_of_tokens_pays_for_rows_and_for_ends_once_a_leaf():
    graph = make_graph(60, 120, seed=6)
    _, table, chosen = choose(graph, tokens=900)
    paid = 0
    for edges in chosen.chosen.values():
        ones = [table.relationships[edge] for edge in edges]
        rows = {one.id for one in ones} | {
            end for one in ones for end in (one.source_id, one.target_id)
        }
        paid += sum(table.rows[row].n_tokens for row in rows)
    assert paid == chosen.spent <= 900
    assert chosen.n_chosen
    assert choose(graph, tokens=0)[2].n_chosen == 0


def test_the_average_of_tokens_counts_entities_and_relationships():
    graph = make_graph(20, 30, seed=7)
    table = make_rows(graph, RealTokenizer())
    rows = [table.rows[one.id].n_tokens for one in (*graph.entities, *graph.relationships)]
    assert average_tokens(table) == sum(rows) / 20

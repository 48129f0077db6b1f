from sensemaking.figures.beside import Dot, beside_figures, match_leaves
from sensemaking.figures.shape import depth_figure, leaf_sizes, level_counts, sizes_figure
from sensemaking.figures.theme import community_color
from sensemaking.types import Community, Hierarchy
from tests.figures.test_hierarchy import LIGHT as PALETTE


def hierarchy(*leaves, name="x"):
    """Return a root with these leaves, given as strings of one-letter entities."""
    everything = tuple(sorted({one for leaf in leaves for one in leaf}))
    root = Community(f"{name}root", "", 0, None, everything, everything)
    found = [
        Community(f"{name}{n}", "", 1, root.id, tuple(leaf), tuple(leaf))
        for n, leaf in enumerate(leaves)
    ]
    return Hierarchy(f"g.{name}", "g", name, (), 0, (root, *found), ())


def names(matching):
    return [
        (pair.first and "".join(pair.first.home_ids), pair.second and "".join(pair.second.home_ids))
        for pair in matching.pairs
    ]


def test_equal_leaves_are_paired_and_nobody_moves():
    found = match_leaves(hierarchy("abc", "de"), hierarchy("de", "abc", name="y"))
    assert names(found) == [("abc", "abc"), ("de", "de")]
    assert found.moved == ()
    assert found.n_placed == 5


def test_the_best_overlap_is_paired_first_and_the_rest_has_moved():
    found = match_leaves(hierarchy("abcd", "efg"), hierarchy("abc", "defg", name="y"))
    assert sorted(names(found)) == [("abcd", "abc"), ("efg", "defg")]
    assert found.moved == ("d",)
    assert [pair.shared for pair in found.pairs] == [3, 3]


def test_a_leaf_without_a_pair_is_listed_alone_and_all_of_it_moved():
    found = match_leaves(hierarchy("abcd"), hierarchy("abc", "d", name="y"))
    assert names(found) == [("abcd", "abc"), (None, "d")]
    assert found.moved == ("d",)


def test_an_entity_that_one_of_them_does_not_place_has_not_moved():
    found = match_leaves(hierarchy("abc"), hierarchy("ab", name="y"))
    assert (found.moved, found.n_placed) == ((), 2)


def test_both_figures_have_the_same_places_and_outline_the_moved():
    first, second = hierarchy("abcd", "efg"), hierarchy("abc", "defg", name="y")
    dots = [Dot(one, f"<{one}>", 10.0 * n, 5.0) for n, one in enumerate("abcdefg")]
    found = match_leaves(first, second)
    left, right = beside_figures(dots, found, {"x0": "First & only"}, PALETTE)
    assert list(left.data[0].x) == list(right.data[0].x)
    assert list(left.data[0].marker.line.width) == [0, 0, 0, 1.6, 0, 0, 0]
    colors = left.data[0].marker.color, right.data[0].marker.color
    for place, dot in enumerate(dots):
        assert (colors[0][place] == colors[1][place]) == (dot.id != "d")
    assert set(colors[0]) == {community_color(PALETTE, rank) for rank in (0, 1)}
    assert "&lt;a&gt;" in left.data[0].text[0]
    assert "First &amp; only" in left.data[0].text[0]
    assert "moved" in left.data[0].text[3]


def test_nothing_to_draw_is_an_empty_figure():
    empty = Hierarchy("g.x", "g", "x", (), 0, (), ())
    left, _ = beside_figures([], match_leaves(empty, empty), {}, PALETTE)
    assert len(left.data[0].x or ()) == 0
    assert leaf_sizes(empty) == []
    assert level_counts(empty) == []


def test_sizes_and_depth_count_every_leaf_once():
    one = hierarchy("abc", "de", "fghijklmnopqrstuvwxyz")
    assert leaf_sizes(one) == [("2", 1), ("3–4", 1), ("5–9", 0), ("10–19", 0), ("20–49", 1)]
    assert level_counts(one) == [("Level 0", 1, 0), ("Level 1", 3, 3)]
    assert list(sizes_figure(one, PALETTE).data[0].y) == [1, 1, 0, 0, 1]
    leaves, with_parts = depth_figure(one, PALETTE).data
    assert (list(leaves.y), list(with_parts.y)) == ([0, 3], [1, 0])

import json
from pathlib import Path

import pytest

from sensemaking.communities import find_communities
from sensemaking.config import HierarchySettings
from sensemaking.figures.hierarchy import (
    MAX_LABEL,
    MAX_PARTS,
    ROOT,
    TreeView,
    color_ranks,
    community_tree_figure,
)
from sensemaking.figures.theme import read_palette
from sensemaking.methods import COMMUNITIES
from sensemaking.types import Community, Hierarchy
from tests.records import make_graph

TOKENS = json.loads((Path(__file__).parents[2] / "pages/static/tokens.json").read_text("utf-8"))
LIGHT, DARK = read_palette(TOKENS, "light"), read_palette(TOKENS, "dark")
GRAPH = make_graph(600, 1500, seed=8)


def fold(algorithm):
    return find_communities(GRAPH, algorithm=COMMUNITIES[algorithm], settings=HierarchySettings())


def draw(hierarchy, focus=None, titles=None, palette=LIGHT, **view):
    return community_tree_figure(hierarchy, titles or {}, TreeView(focus, **view), palette).data[0]


def flat(*sizes):
    """Return a hierarchy of one level with communities of these sizes."""
    found, start = [], 0
    for n, size in enumerate(sizes):
        members = tuple(f"e{i:05d}" for i in range(start, start + size))
        found.append(Community(f"c{n:03d}", f"c{n:03d}", 0, None, members, members))
        start += size
    return Hierarchy("general.test", "general", "test", (), 0, tuple(found), ())


@pytest.mark.parametrize("algorithm", COMMUNITIES)
def test_every_community_can_be_the_focus(algorithm):
    hierarchy = fold(algorithm)
    for focus in (None, *hierarchy.by_id):
        tree = draw(hierarchy, focus)
        assert len(set(tree.ids)) == len(tree.ids)
        known = dict(zip(tree.ids, tree.values, strict=True))
        assert tree.level in known
        inside = dict.fromkeys(tree.ids, 0)
        for one, parent in zip(tree.ids, tree.parents, strict=True):
            if one != ROOT:
                inside[parent] += known[one]
        assert all(inside[one] <= known[one] for one in tree.ids)
        if focus:
            assert focus in tree.ids or not hierarchy.by_id[focus].home_ids


def test_the_whole_shows_two_levels_and_its_numbers_add_up():
    hierarchy = fold("leiden")
    tree = draw(hierarchy)
    levels = {hierarchy.by_id[one].level for one in tree.ids if one != ROOT}
    assert levels == {0, 1}
    total = dict(zip(tree.ids, tree.values, strict=True))[ROOT]
    assert total == len(GRAPH.entities) - len(hierarchy.unplaced)


def test_a_focus_with_parts_is_the_entry_with_its_ancestors_and_two_levels():
    hierarchy = fold("rkh")
    focus = next(
        one for one in hierarchy.communities if one.level == 1 and hierarchy.children[one.id]
    )
    tree = draw(hierarchy, focus.id)
    assert tree.level == focus.id
    drawn = [hierarchy.by_id[one] for one in tree.ids if one != ROOT]
    path = {one.id for one in hierarchy.path(focus.id)}
    below = {one.id for one in hierarchy.descendants(focus.id)}
    assert all(one.id in path or one.id in below for one in drawn)
    assert {one.level - focus.level for one in drawn if one.id in below} <= {1, 2}


def test_a_leaf_is_outlined_among_its_siblings():
    hierarchy = fold("leiden")
    leaf = next(one for one in hierarchy.leaves if one.level > 0)
    tree = draw(hierarchy, leaf.id)
    assert tree.level == leaf.parent_id
    outlined = [
        one for one, width in zip(tree.ids, tree.marker.line.width, strict=True) if width == 2
    ]
    assert outlined == [leaf.id]
    colors = dict(zip(tree.ids, tree.marker.line.color, strict=True))
    assert colors[leaf.id] == LIGHT.ink


@pytest.mark.parametrize("shape", ["treemap", "icicle", "sunburst"])
def test_every_shape_draws_the_same_communities(shape):
    hierarchy = fold("leiden")
    tree = draw(hierarchy, shape=shape)
    assert tree.type == shape
    assert list(tree.ids) == list(draw(hierarchy).ids)
    assert list(tree.values) == list(draw(hierarchy).values)


def test_the_inner_parts_are_those_of_the_level_that_is_asked_for():
    hierarchy = fold("rkh")
    deepest = hierarchy.n_levels - 1
    for level in range(1, hierarchy.n_levels):
        tree = draw(hierarchy, level=level)
        inner = {one for one, parent in zip(tree.ids, tree.parents, strict=True) if parent != ROOT}
        inner.discard(ROOT)
        assert inner <= {one.id for one in hierarchy.view(level)}
    assert inner <= {one.id for one in hierarchy.leaves}
    assert {hierarchy.by_id[one].level for one in draw(hierarchy, level=0).ids if one != ROOT} == {
        0
    }
    top = hierarchy.view(0)[0].id
    assert draw(hierarchy, top, level=deepest).level == (top if hierarchy.children[top] else ROOT)


def test_an_unknown_focus_shows_the_whole():
    assert draw(fold("leiden"), "gone").level == ROOT


def test_no_communities_give_a_figure_of_the_root_alone():
    assert list(draw(flat()).ids) == [ROOT]


def test_hostile_and_long_titles_are_shown_as_they_are_and_cut():
    titles = {"c000": '<a href="x">Quay</a> & <b>more</b>', "c001": "word " * 60, "c002": "x" * 90}
    tree = draw(flat(5, 4, 4), titles=titles)
    labels = dict(zip(tree.ids, tree.labels, strict=True))
    shown = '&lt;a href="x"&gt;Quay&lt;/a&gt; &amp; &lt;b&gt;more&lt;/b&gt;'
    assert labels["c000"].replace("<br>", " ") == shown
    assert shown in tree.customdata[1].replace("<br>", " ")
    for key in ("c001", "c002"):
        assert labels[key].endswith("…")
        assert all(len(line) <= MAX_LABEL for line in labels[key].split("<br>"))


def test_an_area_with_parts_has_a_label_of_one_line():
    hierarchy = fold("leiden")
    titles = dict.fromkeys(hierarchy.by_id, "Guarantee of 2023 and the bonds of the harbour")
    tree = draw(hierarchy, titles=titles)
    parents = set(tree.parents)
    for one, label, template in zip(tree.ids, tree.labels, tree.texttemplate, strict=True):
        assert ("<br>" in label) <= (one not in parents)
        assert ("%{value" in template) == (one not in parents)


def test_labels_break_between_words_and_are_never_only_dots():
    hierarchy = fold("leiden")
    titles = dict.fromkeys(hierarchy.by_id, "Objections & representations by residents")
    words = {"Objections", "&amp;", "representations", "by", "residents"}
    tree = draw(hierarchy, titles=titles)
    parents = set(tree.parents)
    for one, label in zip(tree.ids, tree.labels, strict=True):
        if one != ROOT:
            assert label.startswith("Object")
        if one != ROOT and one not in parents:
            assert {word.rstrip("…") for word in label.replace("<br>", " ").split()} <= words


def test_small_parts_are_not_drawn_but_counted():
    tree = draw(flat(*([3] * (MAX_PARTS + 7))))
    assert len(tree.ids) == MAX_PARTS + 1
    assert "7 smaller parts not drawn" in tree.customdata[0]
    assert tree.values[0] == 3 * (MAX_PARTS + 7)


def test_colours_go_by_size_and_are_slate_from_the_eleventh():
    hierarchy = flat(*range(40, 20, -1))
    ranks = color_ranks(hierarchy)
    assert [ranks[f"c{n:03d}"] for n in range(20)] == list(range(20))
    tree = draw(hierarchy)
    colors = dict(zip(tree.ids, tree.marker.colors, strict=True))
    assert len({colors[f"c{n:03d}"] for n in range(10)}) == 10
    assert {colors[f"c{n:03d}"] for n in range(10, 20)} == {colors["c007"]}  # slate is the eighth
    assert colors[ROOT] == LIGHT.sunken


def test_colour_starts_where_the_corpus_divides_and_goes_down_from_there():
    # One large component: level 0 does not divide, level 1 does.
    ids = tuple(f"e{i:05d}" for i in range(100))
    halves = [ids[:60], ids[60:]]
    found = [Community("top", "top", 0, None, ids, ids)]
    found += [Community(f"h{n}", f"h{n}", 1, "top", half, half) for n, half in enumerate(halves)]
    found += [Community("deep", "deep", 2, "h1", halves[1], halves[1])]
    hierarchy = Hierarchy("general.test", "general", "test", (), 0, tuple(found), ())
    assert color_ranks(hierarchy) == {"top": None, "h0": 0, "h1": 1, "deep": 1}


def test_both_modes_use_their_own_colours():
    light, dark = draw(flat(5, 4)), draw(flat(5, 4), palette=DARK)
    assert set(light.marker.colors).isdisjoint(dark.marker.colors)

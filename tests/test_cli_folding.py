"""The commands on edge lists: what they print, and what they say to bad input."""

import json
import sys

import pytest

from sensemaking.cli import main
from sensemaking.methods import COMMUNITIES

KITE = "source,target\na,b\na,c\nb,c\na,d\nb,d\nc,d\nd,e\ne,f\n"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs a command on an edge list: (exit code, output, errors)."""

    def run(command, edges, *arguments):
        path = tmp_path / "edges.csv"
        if isinstance(edges, str):
            edges = edges.encode()
        if edges is not None:
            path.write_bytes(edges)
        monkeypatch.setattr(sys, "argv", ["sensemaking", command, str(path), *arguments])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        shown = capsys.readouterr()
        return code, shown.out, " ".join(shown.err.split())

    return run


@pytest.mark.parametrize("algorithm", COMMUNITIES)
def test_the_json_of_communities_has_the_agreed_keys(run, algorithm):
    code, output, _ = run("communities", KITE + "z,z\n", "--algorithm", algorithm, "--json")
    found = json.loads(output)
    assert code == 0
    assert {"algorithm", "params", "levels", "unplaced", "seconds"} <= found.keys()
    assert found["unplaced"] == ["z"]
    ids = {None}
    for level, one in enumerate(found["levels"]):
        assert one["level"] == level
        here = one["communities"]
        assert all({"id", "parent", "kind", "k", "members"} == set(row) for row in here)
        assert {row["parent"] for row in here} <= ids
        ids = {row["id"] for row in here}
    assert {name for row in found["levels"][0]["communities"] for name in row["members"]} == set(
        "abcdef"
    )


def test_the_kite_is_folded_as_by_hand(run):
    _, output, _ = run("communities", KITE, "--algorithm", "rkh", "--json")
    rows = [
        (level["level"], row["kind"], row["k"], "".join(row["members"]))
        for level in json.loads(output)["levels"]
        for row in level["communities"]
    ]
    assert sorted(rows) == [
        (0, "core", 1, "abcdef"),
        (1, "core", 2, "abcd"),
        (1, "residual", 1, "ef"),
        (2, "core", 3, "abcd"),
    ]


def test_the_order_of_lines_and_columns_does_not_matter(run):
    lines = KITE.splitlines()
    turned = [",".join(reversed(line.split(","))) for line in lines[1:]]
    for edges in (
        "\n".join(["source,target", *reversed(turned)]),
        "\n".join(["weight;target;source", *(f"1;{line.replace(',', ';')}" for line in turned)]),
        "\r\n".join(["\ufeffSource\tTarget", *(line.replace(",", "\t") for line in lines[1:])]),
        "\n".join(lines[1:]),
    ):
        levels = json.loads(run("communities", edges, "--json")[1])["levels"]
        assert levels == json.loads(run("communities", KITE, "--json")[1])["levels"]


def test_names_are_compared_after_nfc_exactly_and_returned_as_given(run):
    _, output, _ = run("communities", "e\u0301,b\n\u00e9,c\nA,a\n", "--algorithm", "rkh", "--json")
    found = [set(one["members"]) for one in json.loads(output)["levels"][0]["communities"]]
    assert {"A", "a"} in found
    assert {"e\u0301", "b", "c"} in found


@pytest.mark.parametrize(
    ("view", "sizes"), [("LF", [2, 4]), ("L1", [2, 4]), ("LF-2", [6]), ("0", [6])]
)
def test_views_are_named_from_the_leaves_or_by_level(run, view, sizes):
    _, output, _ = run("communities", KITE, "--algorithm", "rkh", "--view", view, "--json")
    (level,) = json.loads(output)["levels"]
    assert sorted(len(one["members"]) for one in level["communities"]) == sizes


def test_the_largest_component_alone_leaves_the_rest_unplaced(run):
    _, output, _ = run("communities", KITE + "p,q\n", "--components", "largest", "--json")
    assert json.loads(output)["unplaced"] == ["p", "q"]


def test_the_largest_size_can_come_from_tokens(run):
    arguments = ["--algorithm", "rkh", "--token-limit", "8000", "--tokens-per-node", "300"]
    _, output, _ = run("communities", KITE, *arguments, "--json")
    assert json.loads(output)["params"]["max_community_size"] == "26"


@pytest.mark.parametrize("algorithm", COMMUNITIES)
@pytest.mark.parametrize("edges", ["", "source,target\n", "a,a\n"])
def test_a_graph_without_edges_has_no_communities(run, algorithm, edges):
    code, output, _ = run("communities", edges, "--algorithm", algorithm, "--json")
    found = json.loads(output)
    assert (code, found["levels"]) == (0, [])
    assert found["unplaced"] == (["a"] if edges == "a,a\n" else [])
    assert run("communities", edges, "--algorithm", algorithm, "--view", "LF", "--json")[0] == 0


@pytest.mark.parametrize(
    ("edges", "arguments", "told"),
    [
        ("a,b,nan\n", [], "weight nan: a weight must be a number above 0"),
        ("a,b\nb,c,-2\n", [], "line 2: The edge “b” - “c” has the weight -2"),
        ("a,b,0\n", [], "weight 0"),
        ("a,b,1e400\n", [], "weight 1e400"),
        ("a,b,heavy\n", [], "weight heavy"),
        ("a,b\nlonely\n", [], "line 2: “lonely” is not source,target"),
        ("a,\n", [], "line 1"),
        (b"a,\xff\n", [], "byte 2 is not UTF-8"),
        (None, [], "cannot be read: No such file"),
        (KITE, ["--max-size", "1"], "size is 1: a community needs at least 2"),
        (KITE, ["--max-size", "5", "--token-limit", "800"], "both give M: give one of them"),
        (KITE, ["--seed", "-1"], "The seed is -1"),
        (KITE, ["--view", "LF-9", "--algorithm", "rkh"], "the hierarchy has the levels 0 to 2"),
        (KITE, ["--view", "-1"], "There is no view “-1”"),
        (KITE, ["--token-limit", "0"], "must be above 0"),
    ],
)
def test_what_cannot_be_used_is_named(run, edges, arguments, told):
    code, output, errors = run("communities", edges, *arguments, "--json")
    assert (code, output) == (1, "")
    assert told in errors


def test_an_unknown_algorithm_is_wrong_usage(run):
    assert run("communities", KITE, "--algorithm", "louvain")[0] == 2


def test_stability_tells_every_trial_community_and_entity(run):
    arguments = ["--runs", "3", "--drop", "10", "--json"]
    code, output, _ = run("stability", KITE, "--algorithm", "leiden", *arguments)
    found = json.loads(output)
    assert code == 0
    assert [(one["drop"], one["runs"]) for one in found["trials"]] == [(0.0, 3), (10.0, 3)]
    assert all("ari" in level and "nmi" in level for level in found["trials"][0]["levels"])
    assert {tuple(one["members"]) for one in found["communities"]} == {tuple("abcd"), tuple("ef")}
    assert all(len(one["kept"]) == 2 for one in found["communities"])
    assert [one["name"] for one in found["entities"]] == list("abcdef")


def test_for_people_both_commands_print_lines(run):
    _, output, _ = run("communities", KITE, "--algorithm", "mrc")
    assert "level 0: 1 community of 6\n" in output
    _, output, _ = run("stability", KITE, "--algorithm", "rkh", "--runs", "2", "--drop", "5")
    assert "5 % of the edges left out (2 runs)" in output
    assert "adjusted Rand" in output


def test_stability_of_a_corpus_that_is_not_there_is_told(run, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sensemaking", "stability", "nowhere"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "nowhere" in capsys.readouterr().err


def test_stability_of_a_graph_without_edges_says_that_nothing_was_compared(run):
    code, output, _ = run("stability", "source,target\n", "--algorithm", "mrc", "--runs", "2")
    assert code == 0
    assert output.count("there are no communities") == 3
    assert "Rand" not in output


def test_a_modularity_of_nothing_has_no_sign(run):
    # One of 3,000 spokes left out: one node alone, a modularity of -1 / (2 * 3000^2).
    star = "".join(f"hub,n{spoke}\n" for spoke in range(3000))
    arguments = ("--algorithm", "rkh", "--max-size", "5000", "--runs", "2", "--drop", "0.034")
    trial = json.loads(run("stability", star, *arguments, "--json")[1])["trials"][0]
    assert repr(trial["levels"][0]["modularity"]) == "[0.0, 0.0]"
    assert "modularity 0.0000 to 0.0000" in run("stability", star, *arguments)[1]


def test_one_community_is_told_in_the_singular(run):
    _, output, _ = run("communities", "a,b\n", "--algorithm", "rkh")
    assert "level 0: 1 community of 2" in output

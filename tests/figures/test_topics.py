import pytest

from sensemaking.figures.topics import (
    MAX_CELLS,
    topic_coverage_figure,
    topic_overlap_figure,
    topic_trend_figure,
)
from sensemaking.topics import document_trend, make_topic, overlap_matrix
from sensemaking.types import TopicRow
from tests.figures.test_hierarchy import LIGHT as PALETTE

HOSTILE = "<b onclick=x>Ports</b> & ships of a very long name that nobody can read"


def row(name, share):
    return TopicRow(make_topic(name), None, False, 3, 0, 2, 2, 0, share, share / 2)


@pytest.mark.parametrize("n", [0, 1, 12, 500])
def test_coverage_draws_the_widest_topics(n):
    rows = [row(f"Topic {i}", i / max(1, n)) for i in range(n)]
    figure = topic_coverage_figure(rows, PALETTE)
    assert [trace.name for trace in figure.data] == ["Documents", "Entities"]
    assert list(figure.data[0].x) == sorted(figure.data[0].x, reverse=True)
    assert len(figure.data[0].x) == min(n, 30)


def test_names_are_text():
    figure = topic_coverage_figure([row(HOSTILE, 0.5)], PALETTE)
    told = str(figure.to_dict())
    assert "<b onclick" not in told
    assert "&lt;b onclick" in told
    told = str(
        topic_overlap_figure(
            [row(HOSTILE, 1), row("B", 1)], [[1, 0.5], [0.5, 1]], PALETTE
        ).to_dict()
    )
    assert "<b onclick" not in told


@pytest.mark.parametrize("n", [0, 1, 3, 500])
def test_overlap_shows_each_pair_and_no_topic_with_itself(n):
    shares = overlap_matrix([{f"e{i}", "all"} for i in range(n)]).tolist()
    figure = topic_overlap_figure(
        [row(f"Topic {i}", i / max(1, n)) for i in range(n)], shares, PALETTE
    )
    cells = figure.data[0].z
    assert len(cells) == min(n, MAX_CELLS)
    if n == 500:
        assert figure.layout.xaxis.ticktext[0] == "Topic 499"
    assert all(cells[i][i] is None for i in range(len(cells)))
    if n == 3:
        assert cells[0][1] == pytest.approx(1 / 3)


def test_a_trend_has_a_line_for_each_of_the_largest_topics():
    dates = {f"d{i}": f"202{i % 4}-0{1 + i % 9}" for i in range(40)}
    members = {f"t{k}": [f"d{i}" for i in range(k, 40)] for k in range(12)}
    trends = document_trend(members, dates)
    figure = topic_trend_figure(trends, {f"t{k}": f"Topic {k}" for k in range(12)}, PALETTE)
    assert [trace.name for trace in figure.data] == [f"Topic {k}" for k in range(8)]
    assert sum(figure.data[0].y) == 40
    # The legend stands above: below, it would lie on the names of the periods.
    assert figure.layout.legend.yanchor == "bottom"
    assert figure.layout.legend.y > 1
    assert figure.layout.yaxis.automargin


def test_names_under_the_overlap_lean_to_the_left_where_there_is_room_for_the_last():
    rows = [row(HOSTILE, 1), row("B", 1)]
    figure = topic_overlap_figure(rows, [[1, 0.5], [0.5, 1]], PALETTE)
    assert -90 < figure.layout.xaxis.tickangle < 0

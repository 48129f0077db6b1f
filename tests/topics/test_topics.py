import pytest

from sensemaking.topics import (
    apply_edits,
    assign_chunks,
    compare_graphs,
    document_trend,
    group_similar,
    idle_edits,
    make_topic,
    overlap_matrix,
    unite,
)
from sensemaking.topics.edits import find_topic
from sensemaking.topics.statistics import GraphCounts
from sensemaking.types import FoundTopics, TopicEdit


def found(level, *names):
    return FoundTopics(
        str(level), level, "", tuple((name, f"{name} at {level}.") for name in names)
    )


def edited(topics, *edits):
    made = [TopicEdit(f"{n:06d}", *edit) for n, edit in enumerate(edits)]
    return apply_edits(topics, made)


def names(topics):
    return [one.name for one in topics]


# One list


def test_exact_duplicates_are_one_topic_with_the_coarsest_description():
    topics = unite([found(1, "health ", "Tech"), found(0, "Health"), found(2, "HEALTH", "Sport")])
    assert names(topics) == ["Health", "Tech", "Sport"]
    assert topics[0].description == "Health at 0."
    assert [one.level for one in topics] == [0, 1, 2]


def test_near_duplicates_stay_apart_as_in_the_published_lists():
    assert names(unite([found(0, "Health", "Health and Medicine", "Tech", "Technology")])) == [
        *("Health", "Health and Medicine", "Tech", "Technology")
    ]


def test_names_have_no_control_characters_and_none_is_no_topic():
    topics = unite([found(0, "Po\x00rts\u202e", "none", "Museums")])
    assert names(topics) == ["Ports", "Museums"]


def test_no_topics_and_topics_without_a_name():
    assert unite([]) == ()
    assert unite([found(0, "", "  \n ")]) == ()


def test_keys_of_topics_are_plain_and_differ_when_the_names_do():
    wanted = [
        "C",
        "C++",
        "c #",
        "Ports",
        "Ports!",
        "港湾",
        "都市",
        "a-b",
        "a b",
        "x" * 300,
        "x" * 299,
    ]
    topics = [make_topic(name) for name in wanted]
    slugs = [one.slug for one in topics]
    assert len(set(slugs)) == len(slugs) - 1  # the last two are cut at the same place
    assert all(slug and set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for slug in slugs)
    assert max(map(len, slugs)) <= 47
    assert make_topic(" ports").graph_key == make_topic("Ports").graph_key == "topic-ports"


# Near-duplicates


def test_near_duplicates_are_shown_together():
    topics = [
        make_topic(name)
        for name in ("Health", "Technology", "Health and medicine", "Tech", "Harbour dues", "Sport")
    ]
    assert [names(group) for group in group_similar(topics)] == [
        ["Health", "Health and medicine"],
        ["Technology", "Tech"],
        ["Harbour dues"],
        ["Sport"],
    ]


def test_near_duplicates_are_found_by_their_descriptions_too():
    text = "Cranes, quays, dredging and tides of the eastern basin."
    one, other = make_topic("Docks", text), make_topic("Waterfront", text)
    assert (
        len(group_similar([one, other, make_topic("Museums", "Paintings of the old town.")])) == 2
    )


def test_five_hundred_topics_are_grouped():
    topics = [make_topic(f"Subject {n} of quarter {n % 7}", "Words. " * 5) for n in range(500)]
    groups = group_similar(topics)
    assert sum(map(len, groups)) == 500


# Edits


def test_edits_are_replayed_in_their_order():
    topics = unite([found(0, "Ports", "Ships", "Museums")])
    after = edited(
        topics,
        ("rename", "Ports", "Harbours"),
        ("merge", "Ships", "Harbours"),
        ("drop", "Museums"),
        ("add", "Flood risk", "What water may do."),
        ("describe", "flood  RISK", "Surges and tides."),
    )
    assert names(after) == ["Harbours", "Flood risk"]
    harbours, flood = after
    assert harbours.subject == "Ports"
    assert harbours.slug == "ports"
    assert harbours.merged == ("Ships",)
    assert harbours.description == "Ports at 0. Ships at 0."
    assert (flood.origin, flood.level, flood.description) == ("added", None, "Surges and tides.")


def test_edits_survive_topics_that_go_and_come_back():
    edits = (("rename", "Ports", "Harbours"), ("drop", "Ships"))
    assert names(edited(unite([found(0, "Museums")]), *edits)) == ["Museums"]
    assert names(edited(unite([found(0, "Ships", "Ports")]), *edits)) == ["Harbours"]


def test_an_edit_follows_a_topic_whose_name_turned_round():
    edits = (
        ("rename", "Accumulator Works, settling pit and silty sand", "Contamination"),
        ("merge", "Tar house and hoist beam", "Settling pits, silty sand and Accumulator Works"),
        ("drop", "Ferry terminal, Quay 4 and Quay 9"),
    )
    topics = unite(
        [
            found(
                0,
                "Settling pit, Accumulator Works and silty sand",
                "Hoist beam and tar house",
                "Quay 9, Quay 4, berths and ferry terminal",
                "Quay 7",
            )
        ]
    )
    assert names(edited(topics, *edits)) == ["Contamination", "Quay 7"]


def test_an_edit_is_of_no_topic_that_is_but_akin_nor_of_one_of_two():
    topics = unite([found(0, "Health and medicine", "Quay 9 north", "Quay 9 south")])
    edits = (("drop", "Health"), ("drop", "Quay 9"), ("rename", "Ships", "Boats"))
    assert edited(topics, *edits) == topics


def test_edits_whose_topic_is_not_found_again_are_told():
    edits = [
        TopicEdit("0", "rename", "Ports", "Harbours"),
        TopicEdit("1", "merge", "Museums", "Ships"),
        TopicEdit("2", "drop", "Museums"),
        TopicEdit("3", "add", "Flood risk"),
    ]
    idle = idle_edits(unite([found(0, "Museums")]), edits)
    assert [one.action for one in idle] == ["rename", "merge"]
    assert idle_edits(unite([found(0, "Ships", "Ports", "Museums")]), edits[:2]) == ()


def test_a_name_that_was_given_up_is_free_again():
    topics = unite([found(0, "Ports", "Ships")])
    after = edited(
        topics,
        ("rename", "Ports", "Harbours"),
        ("rename", "Harbours", "Docks"),
        ("rename", "Ships", "Harbours"),
    )
    assert names(after) == ["Docks", "Harbours"]
    assert [one.subject for one in after] == ["Ports", "Ships"]


@pytest.mark.parametrize(
    "edit",
    [
        ("rename", "Ports", "Ships"),  # the name is taken
        ("rename", "Ports", "   "),
        ("rename", "Nothing", "Something"),
        ("merge", "Ports", "Ports"),
        ("merge", "Ports", "Nothing"),
        ("add", "PORTS", ""),
        ("add", "  ", ""),
        ("add", "None", "The name of the whole corpus."),
        ("rename", "Ports", " NONE\x00 "),
        ("drop", "Nothing"),
    ],
)
def test_an_edit_that_cannot_be_done_changes_nothing(edit):
    topics = unite([found(0, "Ports", "Ships")])
    assert edited(topics, edit) == topics


def test_a_renamed_topic_is_found_by_all_its_names():
    topics = edited(unite([found(0, "Ports")]), ("rename", "Ports", "Harbours"))
    for name in ("harbours", "Ports", "ports", topics[0].id):
        assert find_topic(topics, name) is topics[0]
    assert find_topic(topics, "Museums") is None


# Coverage


def test_overlap_is_the_share_of_common_members():
    shares = overlap_matrix([{"a", "b"}, {"b", "c"}, set(), {"a", "b"}])
    assert shares.tolist() == [
        [1.0, 1 / 3, 0.0, 1.0],
        [1 / 3, 1.0, 0.0, 1 / 3],
        [0.0, 0.0, 0.0, 0.0],
        [1.0, 1 / 3, 0.0, 1.0],
    ]
    assert overlap_matrix([]).shape == (0, 0)


def test_all_documents_on_one_topic_overlap_wholly():
    assert overlap_matrix([{"a", "b"}] * 3).min() == 1.0


@pytest.mark.parametrize(
    ("dates", "periods", "counts"),
    [
        (("2024-01-05", "2024-03", "2024-03-31"), ("2024-01", "2024-02", "2024-03"), (1, 0, 2)),
        (("2019-01-01", "2024-05", "2024-06"), "2019 Q1 … 2024 Q2", 2),
        (("1990", "2020-02-02", "2020"), "1990 … 2020", 2),
        (("1800", "2020", "2020"), "1800s … 2020s", 2),
    ],
)
def test_trends_count_documents_by_a_period_that_leaves_few_of_them(dates, periods, counts):
    named = {f"d{n}": date for n, date in enumerate(dates)}
    (trend,) = document_trend({"t": [*named, "undated"]}, {**named, "undated": None, "x": "soon"})
    if isinstance(periods, tuple):
        assert (trend.periods, trend.counts) == (periods, counts)
    else:
        assert f"{trend.periods[0]} … {trend.periods[-1]}" == periods
        assert trend.counts[-1] == counts
    assert sum(trend.counts) == len(dates)


def test_without_dates_there_is_no_trend():
    assert document_trend({"t": ["a"]}, {"a": None, "b": "2024-13"}) == ()


# Words


def test_chunks_are_those_that_hold_the_words_of_the_topic():
    texts = {
        "c1": "The cadmium lies under the apron of the quay, the boreholes say.",
        "c2": "Cadmium and boreholes again: the quay is closed.",
        "c3": "The museum shows paintings of ships.",
        "c4": "북항 재개발 사업의 오염된 토양을 조사했다.",
    }
    topics = [
        make_topic("Cadmium at the quay", "Boreholes."),
        make_topic("오염된 토양"),
        make_topic("Volcanoes"),
    ]
    chosen = assign_chunks(topics, texts)
    assert chosen[topics[0].id] == ("c1", "c2")
    assert chosen[topics[1].id] == ("c4",)
    assert chosen[topics[2].id] == ()
    assert assign_chunks(topics, {}) == {one.id: () for one in topics}
    assert assign_chunks([], texts) == {}


# Statistics


def test_shares_are_means_over_topics_that_hold_anything():
    statistics = compare_graphs(
        GraphCounts(100, 200, (2, 10)),
        [GraphCounts(60, 100, (1, 6)), GraphCounts(20, 20, (2,)), GraphCounts(0, 0, ())],
    )
    assert statistics.n_topics == 2
    assert statistics.rows == (
        ("entities", 100, 40.0, 0.4),
        ("relationships", 200, 60.0, 0.3),
        ("reports, level 0", 2, 1.5, 0.75),
        ("reports, level 1", 10, 4.0, 0.4),
    )


def test_statistics_without_topics_or_without_a_graph():
    assert compare_graphs(GraphCounts(5, 4, (1,)), []).rows[0] == ("entities", 5, 0.0, 0.0)
    assert compare_graphs(GraphCounts(0, 0, ()), []).rows[0] == ("entities", 0, 0.0, 0.0)

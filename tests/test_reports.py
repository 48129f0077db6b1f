import random
from dataclasses import replace

import pytest

from sensemaking.communities import find_communities
from sensemaking.config import HierarchySettings, ReportSettings, RoundRobinSettings
from sensemaking.context import make_rows
from sensemaking.methods import COMMUNITIES
from sensemaking.ports import FindingDraft, ReportDraft
from sensemaking.reports import (
    make_report,
    pack_context,
    plan_reports,
    render_report,
    report_id,
)
from sensemaking.reports.planning import CLAIMS_PER_ENTITY
from sensemaking.types import Citation, Claim, Community, Hierarchy, KnowledgeGraph
from tests import records

TOKENIZER = records.RealTokenizer()
GRAPH = records.make_graph(300, 700, seed=4, claims=300)
TABLE = make_rows(GRAPH, TOKENIZER)
BUDGETS = [200, 500, 1500, 8000, 100_000]


def fold(algorithm, graph=GRAPH):
    return find_communities(graph, algorithm=COMMUNITIES[algorithm], settings=HierarchySettings())


def pack_all(hierarchy, budget, table=TABLE, skip=()):
    """Pack bottom-up with made-up reports; returns contexts and reports by community id."""
    plan = plan_reports(hierarchy, table)
    settings = ReportSettings(context_tokens=budget)
    contexts, reports = {}, {}
    for batch in plan.batches:
        made = {}
        for one in batch:
            contexts[one.id] = pack_context(plan, one, reports, settings)
            if one.id not in skip:
                made[one.id] = records.make_report(one.id, TOKENIZER)
        reports.update(made)
    return contexts, reports


def nested(*levels):
    """Return a hierarchy from lists of (name, parent, entity numbers), a list per level."""
    found = [
        Community(name, name, level, parent, tuple(records.entity_id(n) for n in members), ())
        for level, ones in enumerate(levels)
        for name, parent, members in ones
    ]
    return Hierarchy("general.test", "general", "test", (), 0, tuple(found), ())


def test_work_goes_from_the_deepest_level_up():
    hierarchy = fold("rkh")
    batches = plan_reports(hierarchy, TABLE).batches
    assert [batch[0].level for batch in batches] == list(reversed(range(hierarchy.n_levels)))
    assert sorted(one.id for batch in batches for one in batch) == sorted(hierarchy.by_id)
    assert all(one.level == batch[0].level for batch in batches for one in batch)


@pytest.mark.parametrize("algorithm", COMMUNITIES)
@pytest.mark.parametrize("budget", BUDGETS)
def test_contexts_count_right_and_keep_to_the_budget(algorithm, budget):
    contexts, _ = pack_all(fold(algorithm), budget)
    for context in contexts.values():
        assert TOKENIZER.count(context.text) == context.n_tokens
        n_rows = len(context.entities) + len(context.claims) + len(context.relationships)
        assert context.n_tokens <= budget or n_rows + len(context.reports) == 1


@pytest.mark.parametrize("algorithm", COMMUNITIES)
@pytest.mark.parametrize("budget", BUDGETS)
def test_the_text_holds_exactly_the_records_of_the_context(algorithm, budget):
    hierarchy = fold(algorithm)
    contexts, _ = pack_all(hierarchy, budget)
    for context in contexts.values():
        lines = [line for line in context.text.splitlines() if line.startswith("[")]
        for letter, ones in (
            ("E", context.entities),
            ("C", context.claims),
            ("R", context.relationships),
        ):
            assert [line for line in lines if line.startswith(f"[{letter}")] == [
                f"[{letter}{n}] {TABLE.rows[one.id].text}" for n, one in enumerate(ones, start=1)
            ]
        listed = {one.id for one in context.entities}
        members = set(hierarchy.by_id[context.community_id].entity_ids)
        assert listed <= members
        for one in context.relationships:
            assert {one.source_id, one.target_id} <= listed
        assert {one.subject_id for one in context.claims} <= listed
        assert context.degrees == tuple(GRAPH.degrees[one.id] for one in context.entities)


@pytest.mark.parametrize("algorithm", COMMUNITIES)
@pytest.mark.parametrize("budget", BUDGETS)
def test_what_is_not_in_the_text_is_in_a_report_or_counted(algorithm, budget):
    hierarchy = fold(algorithm)
    contexts, reports = pack_all(hierarchy, budget)
    community_of = {report.id: key for key, report in reports.items()}
    for context in contexts.values():
        members = set(hierarchy.by_id[context.community_id].entity_ids)
        inside = [one for one in GRAPH.relationships if {one.source_id, one.target_id} <= members]
        parts = [set(hierarchy.by_id[community_of[one.id]].entity_ids) for one in context.reports]
        listed = {one.id for one in (*context.entities, *context.relationships)}
        lost = [
            one for one in members if one not in listed and not any(one in part for part in parts)
        ]
        lost += [
            one.id
            for one in inside
            if one.id not in listed
            and not any({one.source_id, one.target_id} <= part for part in parts)
        ]
        assert context.left_out == len(lost)
        assert (context.n_entities, context.n_relationships) == (len(members), len(inside))
        assert (context.left_out == 0) or context.packing in ("truncated", "reports")


def test_every_way_of_packing_occurs():
    seen = {
        one.packing for budget in BUDGETS for one in pack_all(fold("leiden"), budget)[0].values()
    }
    assert seen == {"elements", "substituted", "reports", "truncated"}


def test_elements_come_by_prominence_until_the_first_that_does_not_fit():
    hierarchy = nested([("all", None, range(300))])
    (context,) = pack_all(hierarchy, 2000)[0].values()
    assert context.packing == "truncated"
    assert list(context.relationships) == list(TABLE.relationships[: len(context.relationships)])
    first = [TABLE.relationships[0].source_id, TABLE.relationships[0].target_id]
    assert [one.id for one in context.entities[:2]] == first
    ends = {end for one in context.relationships for end in (one.source_id, one.target_id)}
    assert {one.id for one in context.entities} == ends


def test_entities_without_a_relationship_inside_are_listed():
    far = [one.id for one in GRAPH.entities if GRAPH.degrees[one.id] <= 1][:4]
    numbers = [int(one[1:]) for one in far]
    (context,) = pack_all(nested([("a", None, numbers)]), 8000)[0].values()
    assert {one.id for one in context.entities} == set(far)
    assert context.packing == "elements"


def test_the_largest_sub_community_is_replaced_first():
    parts = [("a", "all", range(5)), ("b", "all", range(5, 40)), ("c", "all", range(40, 50))]
    hierarchy = nested([("all", None, range(50))], parts)
    plan = plan_reports(hierarchy, TABLE)
    whole = plan.elements["all"].n_tokens
    contexts, reports = pack_all(hierarchy, whole - 100)
    assert contexts["all"].packing == "substituted"
    assert [one.id for one in contexts["all"].reports] == [reports["b"].id]
    outside = {records.entity_id(n) for n in (*range(5), *range(40, 50))}
    assert outside <= {one.id for one in contexts["all"].entities}
    assert {one.subject_id for one in contexts["all"].claims} <= outside


def test_only_reports_are_read_when_replacing_all_is_not_enough():
    parts = [(f"p{n:02d}", "all", range(10 * n, 10 * n + 10)) for n in range(30)]
    hierarchy = nested([("all", None, range(300))], parts)
    contexts, reports = pack_all(hierarchy, 2500)
    context = contexts["all"]
    plan = plan_reports(hierarchy, TABLE)
    largest_first = sorted(
        reports.keys() - {"all"}, key=lambda one: (-plan.elements[one].n_tokens, one)
    )
    assert context.packing == "reports"
    assert (context.entities, context.relationships) == ((), ())
    assert [one.community_id for one in context.reports] == largest_first[: len(context.reports)]
    assert 0 < len(context.reports) < 30


def test_a_child_equal_to_its_parent_gives_its_report():
    hierarchy = nested([("all", None, range(200))], [("same", "all", range(200))])
    contexts, reports = pack_all(hierarchy, 3000)
    assert contexts["same"].packing == "truncated"
    assert contexts["all"].packing == "reports"
    assert contexts["all"].reports == (reports["same"],)
    assert contexts["all"].left_out == 0


def test_a_sub_community_without_a_report_keeps_its_elements():
    parts = [("a", "all", range(150)), ("b", "all", range(150, 300))]
    hierarchy = nested([("all", None, range(300))], parts)
    contexts, reports = pack_all(hierarchy, 3000, skip=("a", "b"))
    assert contexts["all"].packing == "truncated"
    contexts, reports = pack_all(hierarchy, 3000, skip=("a",))
    assert [one.id for one in contexts["all"].reports] == [reports["b"].id]
    assert contexts["all"].left_out > 0


def test_a_hub_brings_the_claims_that_concern_the_community():
    hub, member = GRAPH.relationships[0].source_id, GRAPH.relationships[0].target_id
    claims = tuple(
        Claim(f"c{n:03d}", hub, member if n >= 40 else None, "change", "true", "It grew.", (), ())
        for n in range(50)
    )
    graph = KnowledgeGraph("general", GRAPH.entities, GRAPH.relationships, claims)
    hierarchy = nested([("pair", None, [int(hub[1:]), int(member[1:])])])
    (context,) = pack_all(hierarchy, 8000, make_rows(graph, TOKENIZER))[0].values()
    assert [one.id for one in context.claims] == [
        f"c{n:03d}" for n in range(40, 40 + CLAIMS_PER_ENTITY)
    ]


def test_the_order_of_records_does_not_matter():
    entities, relationships = list(GRAPH.entities), list(GRAPH.relationships)
    random.Random(1).shuffle(entities)
    random.Random(1).shuffle(relationships)
    other = KnowledgeGraph("general", tuple(entities), tuple(relationships), GRAPH.claims)
    assert pack_all(fold("rkh", other), 1500, make_rows(other, TOKENIZER)) == pack_all(
        fold("rkh"), 1500
    )


def draft_for(context):
    inside = Citation("entity", context.entities[0].id)
    return ReportDraft(
        title="Title",
        summary="Summary.",
        summary_citations=(inside, Citation("entity", "unknown")),
        findings=(FindingDraft("One", "Text.", (inside,)), FindingDraft("Two", "More.", ())),
        rating=11.5,
        rating_reason="Large.",
    )


def make(context, key="reporter-1", settings=None, table=TABLE):
    one = report_id(context, table, settings or ReportSettings(), key)
    return make_report(draft_for(context), context, TOKENIZER, report_id=one)


def test_a_report_keeps_what_was_written_and_cites_only_its_context():
    contexts, _ = pack_all(fold("leiden"), 8000)
    context = next(one for one in contexts.values() if one.packing == "elements")
    report = make(context)
    assert report.summary_citations == (Citation("entity", context.entities[0].id),)
    assert render_report(report) == "# Title\n\nSummary.\n\n## One\n\nText.\n\n## Two\n\nMore.\n"
    assert report.n_tokens == TOKENIZER.count(render_report(report))
    assert report.rating == 10.0
    members = fold("leiden").by_id[context.community_id].entity_ids
    chunks = {chunk for one in members for chunk in GRAPH.entity_by_id[one].chunk_ids}
    assert report.weight == len(chunks)
    assert len({report.id, *(one.id for one in report.findings)}) == 3


def test_reports_are_shared_by_equal_communities_and_by_nothing_else():
    (context,) = pack_all(nested([("one", None, range(9))]), 8000)[0].values()
    (twin,) = pack_all(nested([("two", None, range(9))]), 8000)[0].values()
    (other,) = pack_all(nested([("one", None, range(10))]), 8000)[0].values()
    assert make(context).id == make(twin).id
    changed = [
        make(other).id,
        make(context, key="reporter-2").id,
        make(context, settings=ReportSettings(context_tokens=7000)).id,
        make(replace(context, n_chunks=context.n_chunks + 1)).id,
    ]
    assert len({make(context).id, *changed}) == 5


def test_a_record_with_new_evidence_changes_the_id_though_not_the_text():
    first = GRAPH.entities[0]
    changed = replace(first, spans=(*first.spans, first.spans[0]))
    other = KnowledgeGraph(
        "general", (changed, *GRAPH.entities[1:]), GRAPH.relationships, GRAPH.claims
    )
    table = make_rows(other, TOKENIZER)
    hierarchy = nested([("one", None, range(9))])
    (before,) = pack_all(hierarchy, 8000)[0].values()
    (after,) = pack_all(hierarchy, 8000, table)[0].values()
    assert before.text == after.text
    assert make(before).id != make(after, table=table).id


@pytest.mark.parametrize("algorithm", COMMUNITIES)
def test_leaves_show_only_the_relationships_they_were_dealt(algorithm):
    hierarchy = fold(algorithm)
    whole = plan_reports(hierarchy, TABLE)
    settings = RoundRobinSettings(percent=60, base="eligible")
    plan = plan_reports(hierarchy, TABLE, settings)
    assert plan.selection.binds
    assert plan.leaf_tokens < whole.leaf_tokens
    leaves = {one.id for one in hierarchy.leaves}
    for one in hierarchy.communities:
        elements = plan.elements[one.id]
        if one.id not in leaves:
            assert elements == whole.elements[one.id]
        elif elements.relationships:
            assert elements.relationships == plan.selection.chosen[one.id]
            ends = {
                end
                for position in elements.relationships
                for end in (
                    TABLE.relationships[position].source_id,
                    TABLE.relationships[position].target_id,
                )
            }
            assert set(elements.entities) == ends
        else:  # dealt nothing: its entities alone
            assert set(elements.entities) == set(one.entity_ids)
        assert set(elements.claims) <= set(elements.entities)


def test_a_budget_that_does_not_bind_changes_nothing():
    hierarchy = fold("rkh")
    table = TABLE
    plan = plan_reports(hierarchy, table, RoundRobinSettings(percent=100))
    assert not plan.selection.binds
    for one in hierarchy.leaves:
        # Only overlapping leaves differ: a relationship is shown by one of them.
        assert set(plan.elements[one.id].relationships) <= set(
            plan_reports(hierarchy, table).elements[one.id].relationships
        )

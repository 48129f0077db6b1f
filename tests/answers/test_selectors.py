import pytest

from sensemaking.answers.selectors import make_block, select_reports
from sensemaking.communities import find_communities
from sensemaking.config import HierarchySettings
from sensemaking.context import render_block
from sensemaking.methods import COMMUNITIES
from sensemaking.types import Citation
from tests.records import RealTokenizer, make_graph, make_report

GRAPH = make_graph(200, 400, seed=6)
TOKENIZER = RealTokenizer()
HIERARCHY = find_communities(GRAPH, algorithm=COMMUNITIES["rkh"], settings=HierarchySettings())
REPORTS = {one.id: make_report(one.id, TOKENIZER) for one in HIERARCHY.communities}


def titles_of(communities):
    return sorted(REPORTS[one.id].id for one in communities)


def test_a_level_gives_the_reports_of_its_view():
    for level in range(HIERARCHY.n_levels):
        selection = select_reports(HIERARCHY, REPORTS, level, GRAPH)
        assert [block.id for block in selection.blocks] == titles_of(HIERARCHY.view(level))
        assert selection.skipped == ()


def test_no_level_and_a_level_too_deep_give_the_leaves():
    leaves = titles_of(HIERARCHY.leaves)
    for level in (None, 99):
        blocks = select_reports(HIERARCHY, REPORTS, level, GRAPH).blocks
        assert [block.id for block in blocks] == leaves


def test_every_view_covers_what_has_a_place():
    placed = [one for one in GRAPH.entities if one.id not in HIERARCHY.unplaced]
    chunks = {chunk for one in placed for chunk in one.chunk_ids}
    for level in (0, 1, None):
        coverage = select_reports(HIERARCHY, REPORTS, level, GRAPH, n_chunks=500).coverage
        assert coverage.n_entities == len(GRAPH.entities)
        assert coverage.n_entities_covered == len(placed)
        assert (coverage.n_chunks, coverage.n_chunks_covered) == (500, len(chunks))


def test_a_missing_report_is_named_and_lowers_the_coverage():
    lost = max(HIERARCHY.leaves, key=lambda one: (len(one.entity_ids), one.id))
    others = {key: report for key, report in REPORTS.items() if key != lost.id}
    whole = select_reports(HIERARCHY, REPORTS, None, GRAPH)
    selection = select_reports(HIERARCHY, others, None, GRAPH)
    assert [(one.stage, one.subject, one.retriable) for one in selection.skipped] == [
        ("reports", lost.id, True)
    ]
    assert len(selection.blocks) == len(whole.blocks) - 1
    assert selection.coverage.n_reports == whole.coverage.n_reports - 1
    assert selection.coverage.n_entities_covered < whole.coverage.n_entities_covered


def test_a_block_shows_the_report_and_its_items_cite_its_findings():
    report = next(iter(REPORTS.values()))
    block = make_block(report)
    assert block.text.splitlines()[0] == f"# {report.title}"
    assert f"Rating {report.rating:.1f}. {report.summary}" in block.text
    assert [item.citation for item in block.items] == [
        Citation("finding", one.id) for one in report.findings
    ]
    assert [item.number for item in block.items] == list(range(1, len(report.findings) + 1))


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_reckoned_tokens_bound_the_real_ones_closely(encoding):
    tokenizer = RealTokenizer(encoding)
    reports = [make_report(f"c{n}", tokenizer) for n in range(200)]
    blocks = [make_block(report) for report in reports]
    real = [tokenizer.count(render_block(block) + "\n") for block in blocks]
    assert all(count <= block.n_tokens for count, block in zip(real, blocks, strict=True))
    assert sum(block.n_tokens for block in blocks) < 1.1 * sum(real)

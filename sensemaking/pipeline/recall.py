"""How many of the reports that help with a question are among the first that retrieval finds.

Notes
-----
ReTAG, Figure 5: a model reads every report by itself; those of a helpfulness above 0 are relevant.
With a model this is a call for each report of the level.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from sensemaking.answers.mapreduce import map_windows
from sensemaking.answers.retrieving import Retrieval, find_reports, index_reports, recall_of
from sensemaking.answers.selectors import make_block
from sensemaking.config import AskSettings
from sensemaking.context import pack_shuffled
from sensemaking.errors import ModelUnavailable
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.routing import find_keywords
from sensemaking.types import BuildEvent, Progress, SubAnswerReady

SIZES = (10, 25, 50, 100, 200, 400)
READING = "recall"
"""Stage of reading the reports one by one."""


@dataclass(frozen=True, slots=True)
class ReportRecall:
    """`recalls` are (how many reports are retrieved, share of the relevant ones among them).

    A share is None where no report is relevant. `n_failed` reports could not be read, and count as
    not relevant. `keywords` were looked for together with the question.
    """

    question: str
    keywords: tuple[str, ...]
    n_reports: int
    n_relevant: int
    n_failed: int
    recalls: tuple[tuple[int, float | None], ...]


def measure_recall(
    engine: Engine,
    library: Library,
    question: str,
    settings: AskSettings,
    sizes: Sequence[int] = SIZES,
) -> Generator[BuildEvent, None, ReportRecall]:
    """Yield progress; return the recall of retrieval over the reports of a level, by size.

    Keywords are used where the method of the settings expands. Reports of one text count once.

    Raises
    ------
    NotBuilt
        When the hierarchy has no reports.
    ModelUnavailable
        When no report could be read.
    """
    hierarchy, reports = library.hierarchy(settings.hierarchy), library.reports(settings.hierarchy)
    view = hierarchy.leaves if settings.level is None else hierarchy.view(settings.level)
    known = [reports[one.id] for one in view if one.id in reports]
    blocks = {one.id: make_block(one) for one in known}
    read = engine.backend.mapper.prepare(question, list(blocks.values()))
    # One window a report: a budget that nothing fits into leaves every block alone.
    windows = pack_shuffled(list(blocks.values()), 1, settings.seed)
    executor = engine.calls if engine.backend.mapper.waits else engine.threads
    relevant: list[str] = []
    n_failed = n_read = 0
    yield Progress(READING, 0, len(windows))
    for event in map_windows(question, windows, read, executor, engine.is_stopping):
        if not isinstance(event, SubAnswerReady):
            continue
        n_read += 1
        yield Progress(READING, n_read, len(windows))
        if event.sub_answer.status == "failed":
            n_failed += 1
        elif event.sub_answer.helpfulness > 0:
            relevant.extend(event.sub_answer.block_ids)
    if windows and n_failed == len(windows):
        raise ModelUnavailable(f"None of the {n_failed} reports could be read.")
    keywords = find_keywords(engine, library, question, settings)
    query = " ".join((question, *keywords))
    retrieval = Retrieval(query, max(1, len(known)), settings.k1, settings.b)
    index = index_reports(known, settings.k1, settings.b)
    found = [one.id for one in find_reports(index, reports, retrieval)]
    recalls = tuple((size, recall_of(found, relevant, size)) for size in sizes)
    return ReportRecall(question, keywords, len(found), len(relevant), n_failed, recalls)

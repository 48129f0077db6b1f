"""Where the records of a corpus lie in the store, and how to get the current ones.

Live sets have fixed scopes (`FILES`, `DOCUMENTS`). Everything a stage makes lies under a scope
that is the digest of its inputs, settings, implementation and `CODE_VERSIONS`; heads name what is
current. `Library` reads what is current and keeps the last of each in memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from sensemaking.config import Settings
from sensemaking.errors import NotBuilt, NotFound
from sensemaking.ports import Store
from sensemaking.text.chunking import chunking_key
from sensemaking.types import (
    BuildReady,
    Chunk,
    Claim,
    Community,
    Document,
    Entity,
    Hierarchy,
    HierarchyHead,
    KnowledgeGraph,
    Relationship,
    Report,
    ReportLink,
    SourceFile,
    digest,
)

T = TypeVar("T")

FILES = "files"
DOCUMENTS = "documents"
BUILDS = "builds"
SEEN = "seen"
"""Head that holds the digest of the documents that the last build saw."""
CHUNKS = "chunks"
"""Head that names the scope of the current chunks."""
MADE_BY = "made_by"
"""Head that holds the digest of the settings and code versions of the last build (`made_by`)."""
COVERED = "covered"
"""Head that holds what share of the chunks the leaves of the last build reach: "122/124"."""

RESULTS = ("graph:", "hierarchy:", "reports:", "topic:")
"""What the names of heads begin with that a build replaces as a whole."""

CODE_VERSIONS = {
    "read": 2,
    "chunk": 1,
    "extract": 2,
    "graph": 2,
    "communities": 1,
    "reports": 2,
    "answer": 2,
    "topics": 3,
}
"""Raised when a stage returns something else for the same input: its results are made anew."""


def graph_head(key: str) -> str:
    """Return the head's name for a graph."""
    return f"graph:{key}"


def hierarchy_head(key: str) -> str:
    """Return the head's name for a hierarchy."""
    return f"hierarchy:{key}"


def reports_head(key: str) -> str:
    """Return the head's name for the reports of a hierarchy."""
    return f"reports:{key}"


def topic_head(key: str) -> str:
    """Return the head's name that says how the graph of a topic was made, and of which topic."""
    return f"topic:{key}"


def is_of_topic(key: str) -> bool:
    """Return whether the key of a graph or a hierarchy is that of a topic."""
    return key.startswith("topic-")


def read_graph(store: Store, scope: str, key: str = "general") -> KnowledgeGraph:
    """Return the graph stored under a scope."""
    return KnowledgeGraph(
        key,
        tuple(store.all(Entity, scope)),
        tuple(store.all(Relationship, scope)),
        tuple(store.all(Claim, scope)),
    )


def read_hierarchy(store: Store, scope: str, key: str) -> Hierarchy:
    """Return the hierarchy stored under a scope."""
    head = store.get(HierarchyHead, scope, key)
    if head is None:
        raise NotBuilt(f"The hierarchy “{key}” is damaged: build the corpus again.")
    return Hierarchy(
        key=head.id,
        graph_key=head.graph_key,
        algorithm=head.algorithm,
        params=head.params,
        seed=head.seed,
        communities=tuple(store.all(Community, scope)),
        unplaced=head.unplaced,
    )


def read_reports(store: Store, scope: str) -> dict[str, Report]:
    """Return the reports linked under a scope by community id; those that failed are missing."""
    links = store.all(ReportLink, scope)
    texts = {report.id: report for report in store.all(Report, report_texts(scope))}
    return {
        link.id: replace(texts[link.report_id], community_id=link.id)
        for link in links
        if link.report_id in texts
    }


def count_reports(store: Store, scope: str) -> int:
    """Return how many reports `read_reports` returns, without reading their texts."""
    known = set(store.ids(Report, report_texts(scope)))
    return sum(link.report_id in known for link in store.all(ReportLink, scope))


def report_texts(links: str) -> str:
    """Return the scope in which the reports lie that a scope of links refers to."""
    return links.split(":")[0]


def current_heads(store: Store) -> dict[str, str]:
    """Return what is current; a head that points to nothing was withdrawn."""
    return {name: scope for name, scope in store.heads().items() if scope}


def waits_for_reading(file: SourceFile) -> bool:
    """Return whether a file is to be read, for the first time or by a new reader."""
    if file.status == "waiting":
        return True
    # A file that could not be opened when it was added has no content to read.
    was_read = file.status in ("read", "empty", "failed") and bool(file.content_digest)
    return was_read and file.reader != CODE_VERSIONS["read"]


def chunk_scope(settings: Settings) -> str:
    """Return the scope of the chunks that a build with these settings makes."""
    return digest("chunks", CODE_VERSIONS["chunk"], chunking_key(settings.chunking))


def seen(document_ids: Iterable[str]) -> str:
    """Return the digest by which a build remembers which documents it saw."""
    return digest(sorted(document_ids))


def made_by(settings: Settings) -> str:
    """Return the digest by which a build remembers its settings and the version of its stages."""
    stages = sorted(
        f"{name} {n}" for name, n in CODE_VERSIONS.items() if name not in ("answer", "topics")
    )
    return digest("made by", settings.model_dump_json(), stages)


def make_current(store: Store, heads: dict[str, str]) -> None:
    """Make exactly these the current results, all at once, and drop what nothing points to.

    Vectors keep their heads: they follow, and old ones are of use until then. So do the graphs of
    topics, where the graph that they belong to stays as it is and was made in the same way.
    """
    current = current_heads(store)
    is_same = all(current.get(name) == heads.get(name) for name in (MADE_BY, graph_head("general")))
    kept = {
        name: scope
        for name, scope in current.items()
        if is_same and name.startswith(RESULTS) and is_of_topic(name.partition(":")[2])
    }
    stale = {name: "" for name in current if name.startswith(RESULTS) and name not in kept}
    store.point({**stale, **heads})
    scopes = [*heads.values(), *kept.values()]
    for record_type in (Entity, Relationship, Claim, HierarchyHead, Community, ReportLink):
        store.keep_only(record_type, scopes)


def covered_share(graph: KnowledgeGraph, hierarchy: Hierarchy, n_chunks: int) -> str:
    """Return what share of the chunks the leaves of a hierarchy reach: "122/124"."""
    entities = graph.entity_by_id
    placed = {one for leaf in hierarchy.leaves for one in leaf.entity_ids}
    reached = {chunk for one in placed for chunk in entities[one].chunk_ids}
    return f"{len(reached)}/{n_chunks}"


class Library:
    """Reads the current records of one corpus; safe to share between threads.

    Graphs, hierarchies and reports are kept until what is current changes.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.RLock()
        self._kept: dict[str, tuple[str, Any]] = {}
        self._document = lru_cache(maxsize=64)(self._read_document)

    def files(self) -> list[SourceFile]:
        """Return all files by name, those that were removed too."""
        return sorted(self.store.all(SourceFile, FILES), key=lambda file: (file.name, file.id))

    def documents(self) -> list[Document]:
        """Return the documents of the corpus in order of (name, id)."""
        live = {key for one in self.files() if one.status == "read" for key in one.document_ids}
        found = [one for one in self.store.all(Document, DOCUMENTS) if one.id in live]
        return sorted(found, key=lambda document: (document.name, document.id))

    def document(self, document_id: str) -> Document:
        """Return one document, also of a file that was removed.

        Raises
        ------
        NotFound
            When the corpus never had it.
        """
        return self._document(document_id)

    def text_of(self, document_id: str) -> str:
        """Return the text of a document."""
        return self._document(document_id).text

    def chunks(self, documents: list[Document], scope: str) -> list[Chunk]:
        """Return the chunks of the documents, in order of document and position."""
        order = {document.id: n for n, document in enumerate(documents)}
        found = (one for one in self.store.all(Chunk, scope) if one.document_id in order)
        return sorted(found, key=lambda chunk: (order[chunk.document_id], chunk.ordinal))

    def graph(self, key: str = "general") -> KnowledgeGraph:
        """Return the current graph; raises `NotBuilt` when there is none."""
        missing = "This corpus has no graph yet: press Build (or run `sensemaking build`)."
        return self._current(
            graph_head(key), missing, lambda scope: read_graph(self.store, scope, key)
        )

    def n_chunks(self) -> int:
        """Return how many chunks the last build saw, 0 before the first one."""
        built = self.last_build()
        return built.chunks if built is not None else 0

    def last_build(self) -> BuildReady | None:
        """Return what the last complete build made, or None."""
        found = self.store.all(BuildReady, BUILDS)
        return found[-1] if found else None

    def hierarchy_keys(self) -> list[str]:
        """Return the keys of all current hierarchies, sorted."""
        prefix = hierarchy_head("")
        names = current_heads(self.store)
        return sorted(name.removeprefix(prefix) for name in names if name.startswith(prefix))

    def hierarchy(self, key: str) -> Hierarchy:
        """Return a current hierarchy; raises `NotBuilt`, naming those that exist."""
        return self._current(
            hierarchy_head(key),
            self._missing_hierarchy(key),
            lambda scope: read_hierarchy(self.store, scope, key),
        )

    def reports(self, key: str) -> dict[str, Report]:
        """Return the current reports of a hierarchy by community id."""
        return self._current(
            reports_head(key),
            self._missing_hierarchy(key),
            lambda scope: read_reports(self.store, scope),
        )

    def keep(self, name: str, scope: str, make: Callable[[], T]) -> T:
        """Return what `make` makes, kept in memory under a name until its scope is another."""
        with self._lock:
            kept = self._kept.get(name)
        if kept is not None and kept[0] == scope:
            found: T = kept[1]
            return found
        made = make()
        with self._lock:
            self._kept[name] = (scope, made)
        return made

    def _missing_hierarchy(self, key: str) -> str:
        known = self.hierarchy_keys()
        if not known:
            return "This corpus is not built yet: press Build (or run `sensemaking build`)."
        return f"There is no hierarchy “{key}”; there are: {', '.join(known)}."

    def _current(self, head: str, missing: str, read: Callable[[str], T]) -> T:
        with self._lock:
            while True:
                scope = self.store.head(head)
                if not scope:
                    raise NotBuilt(missing)
                kept = self._kept.get(head)
                if kept is not None and kept[0] == scope:
                    found: T = kept[1]
                    return found
                read_now = read(scope)
                # A build may have replaced, and dropped, what was just being read.
                if self.store.head(head) == scope:
                    self._kept[head] = (scope, read_now)

    def remember(self, name: str, state: str, make: Callable[[], T]) -> T:
        """Return what `make` makes of a state, made once and kept until the state changes."""
        with self._lock:
            kept = self._kept.get(f"made:{name}")
            if kept is None or kept[0] != state:
                kept = self._kept[f"made:{name}"] = (state, make())
            found: T = kept[1]
            return found

    def _read_document(self, document_id: str) -> Document:
        found = self.store.get(Document, DOCUMENTS, document_id)
        if found is None:
            raise NotFound(f"There is no document “{document_id}” in this corpus.")
        return found

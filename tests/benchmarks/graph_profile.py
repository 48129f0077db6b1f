"""What the graph of a folder is about, and what it cost.

    python -m tests.benchmarks.graph_profile FOLDER [--limit N] [--top 50] [--ties 30]

Prints counts, kinds, the best connected entities, the strongest relationships and CPU seconds per
step, all in this process. To be read by a person: the entities should be what the texts are about.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.backends.extractive.extractor import ExtractiveExtractor
from sensemaking.config import ChunkingSettings, GraphSettings
from sensemaking.extraction import make_passages
from sensemaking.graph import build_graph
from sensemaking.ports import Passage
from sensemaking.text.chunking import chunk_document
from sensemaking.text.reading import read_file
from sensemaking.types import Chunk, Document, KnowledgeGraph

T = TypeVar("T")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="read only so many files")
    parser.add_argument("--top", type=int, default=50)
    parser.add_argument("--ties", type=int, default=30)
    options = parser.parse_args()
    files = sorted(path for path in options.folder.iterdir() if path.is_file())[: options.limit]
    documents = timed("read", lambda: read_all(files))
    chunks, passages = timed("chunk", lambda: cut(documents))
    extractor = ExtractiveExtractor()
    extractor.extract(passages[:1])
    extractions = timed("extract", lambda: extractor.extract(passages))
    graph = timed("graph", lambda: build_graph(documents, chunks, extractions, GraphSettings()))
    show(graph, sum(one.n_words for one in documents), options.top, options.ties)


def timed(name: str, step: Callable[[], T]) -> T:
    began = time.process_time()
    result = step()
    print(f"{name:8} {time.process_time() - began:7.1f} CPU-s", flush=True)
    return result


def read_all(files: list[Path]) -> list[Document]:
    return [one for path in files for one in read_file(path.name, path.read_bytes())[1]]


def cut(documents: list[Document]) -> tuple[list[Chunk], list[Passage]]:
    chunks: list[Chunk] = []
    passages: list[Passage] = []
    tokenizer = BpeTokenizer()
    for document in documents:
        own = chunk_document(document, ChunkingSettings(), tokenizer)
        chunks.extend(own)
        passages.extend(make_passages(document, own))
    return chunks, passages


def show(graph: KnowledgeGraph, n_words: int, n_entities: int, n_ties: int) -> None:
    largest = len(graph.components[0]) / len(graph.entities) if graph.entities else 0.0
    print(
        f"\n{n_words:,} words: {len(graph.entities):,} entities, {len(graph.relationships):,} "
        f"relationships, {len(graph.claims):,} claims; largest component {largest:.1%}"
    )
    print(", ".join(f"{kind} {n:,}" for kind, n in Counter(kinds(graph)).most_common()))
    print("\nBest connected (name, kind, ties, mentions)")
    ordered = sorted(graph.entities, key=lambda one: (-graph.degrees[one.id], one.name, one.id))
    for entity in ordered[:n_entities]:
        print(f"  {entity.name}  {entity.kind} {graph.degrees[entity.id]} {len(entity.spans)}")
        print(f"      {entity.description[:110]}")
    print("\nStrongest ties")
    for tie in sorted(graph.relationships, key=lambda one: (-one.weight, one.id))[:n_ties]:
        source, target = graph.entity_by_id[tie.source_id], graph.entity_by_id[tie.target_id]
        print(f"  {tie.weight:.2f}  {source.name} – {target.name}: {tie.description[:100]}")


def kinds(graph: KnowledgeGraph) -> list[str]:
    return [entity.kind for entity in graph.entities]


if __name__ == "__main__":
    main()

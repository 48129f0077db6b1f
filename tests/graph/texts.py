"""Documents, chunks and graphs for tests, cut where the test says."""

from sensemaking.backends.extractive.extractor import ExtractiveExtractor
from sensemaking.config import GraphSettings
from sensemaking.extraction import make_passages
from sensemaking.graph import build_graph
from sensemaking.text.structure import find_sections
from sensemaking.types import Chunk, Document, Extraction, KnowledgeGraph, digest


def make_document(text: str, name: str = "a.txt", language: str = "en") -> Document:
    return Document(
        id=digest(name, text),
        name=name,
        title=name,
        text=text,
        media_type="text/plain",
        language=language,
        n_words=len(text.split()),
        sections=find_sections(text),
    )


def make_chunks(document: Document, *cuts: int, overlap: int = 0) -> list[Chunk]:
    """Cut at the given offsets; each chunk but the first begins `overlap` characters early."""
    bounds = [0, *cuts, len(document.text)]
    chunks = []
    for ordinal, (own, end) in enumerate(zip(bounds, bounds[1:], strict=False)):
        start = max(0, own - overlap)
        identity = digest(document.id, "test", start, end)
        chunks.append(Chunk(identity, document.id, ordinal, start, end, own, 10))
    return chunks


def extract(document: Document, chunks: list[Chunk]) -> list[Extraction]:
    return ExtractiveExtractor().extract(make_passages(document, chunks))


def graph_of(*texts: str, language: str = "en") -> KnowledgeGraph:
    documents = [make_document(text, f"{n}.txt", language) for n, text in enumerate(texts)]
    chunks = [chunk for document in documents for chunk in make_chunks(document)]
    extractions = [
        one for document in documents for one in extract(document, make_chunks(document))
    ]
    return build_graph(documents, chunks, extractions, GraphSettings())


def names(graph: KnowledgeGraph) -> set[str]:
    return {entity.name for entity in graph.entities}

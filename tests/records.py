"""Knowledge graphs and reports made up from words, for tests of what packs and selects them."""

import random
import warnings
from dataclasses import dataclass
from functools import cache

from sensemaking.reports import render_report
from sensemaking.types import (
    Claim,
    Entity,
    Finding,
    KnowledgeGraph,
    Relationship,
    Report,
    Span,
    digest,
)

TEXT = (
    "harbour council approved dredging of the eastern basin in 2024 although residents objected; "
    "Łódź's engineers priced 3,400,000 crowns (about 12 %) for quays, “soft” soils & naïve plans "
    "북항 항만 공사 مشروع الميناء 🚢 co-operation state-of-the-art don't e.g. #7 /path/to/file"
)
WORDS = TEXT.split()


@dataclass(frozen=True)
class RealTokenizer:
    """A tokenizer (`ports.Tokenizer`) with a real vocabulary."""

    key: str = "o200k_base"

    def count(self, text):
        return len(_encoding(self.key).encode_ordinary(text))


@cache
def _encoding(name):
    with warnings.catch_warnings():
        # bpe-openai opens its data in a way that Python 3.11 calls deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        return bpe_openai.get_encoding(name)


def make_text(rng, low, high):
    return " ".join(rng.choices(WORDS, k=rng.randint(low, high)))


def entity_id(n):
    return f"e{n:05d}"


def make_graph(n, m, seed=0, claims=0):
    """Return a graph whose degrees fall off steeply; every third name has a line break."""
    rng = random.Random(seed)
    entities = []
    for i in range(n):
        chunks = tuple(sorted({f"k{rng.randrange(n):05d}" for _ in range(rng.randint(1, 5))}))
        spans = tuple(Span(f"d{rng.randrange(12)}", 10 * j, 10 * j + 5) for j in range(len(chunks)))
        name = make_text(rng, 1, 3) + (f"\n{i}" if i % 3 == 0 else f" {i}")
        entities.append(Entity(entity_id(i), name, "concept", make_text(rng, 0, 30), spans, chunks))
    weights = [(i + 1) ** -0.6 for i in range(n)]
    pairs = set()
    while len(pairs) < m:
        u, v = rng.choices(range(n), weights, k=2)
        if u != v:
            pairs.add((min(u, v), max(u, v)))
    relationships = tuple(
        Relationship(
            digest("r", u, v),
            entity_id(u),
            entity_id(v),
            make_text(rng, 5, 40),
            1.0 + rng.random(),
            (Span("d0", u, v),),
            entities[u].chunk_ids[:1],
        )
        for u, v in sorted(pairs)
    )
    made = [
        Claim(
            digest("c", i),
            entity_id(rng.choices(range(n), weights)[0]),
            entity_id(rng.randrange(n)) if i % 2 else None,
            "date",
            "true",
            make_text(rng, 5, 30),
            (Span("d1", i, i + 4),),
            (f"k{rng.randrange(n):05d}",),
            start_date="2024-05" if i % 4 == 0 else None,
        )
        for i in range(claims)
    ]
    return KnowledgeGraph(
        "general",
        tuple(entities),
        tuple(sorted(relationships, key=lambda one: one.id)),
        tuple(sorted(made, key=lambda one: one.id)),
    )


def make_report(community_id, tokenizer, seed=0, **fields):
    """Return a report with findings that cite nothing; `fields` replace what is made up."""
    rng = random.Random(f"{community_id} {seed}")
    key = digest("report", community_id, seed)
    findings = tuple(
        Finding(digest(key, n), make_text(rng, 2, 6), make_text(rng, 10, 60), ())
        for n in range(rng.randint(1, 6))
    )
    values = {
        "id": key,
        "community_id": community_id,
        "title": make_text(rng, 2, 6),
        "summary": make_text(rng, 10, 40),
        "summary_citations": (),
        "findings": findings,
        "rating": float(rng.randint(0, 10)),
        "rating_reason": "",
        "n_tokens": 0,
        "weight": rng.randint(1, 50),
        "packing": "elements",
        "context_tokens": 0,
        **fields,
    }
    report = Report(**values)
    return Report(**{**values, "n_tokens": tokenizer.count(render_report(report))})

"""A small corpus written for these tests, and its records with true spans."""

from __future__ import annotations

from sensemaking.ports import ReportContext
from sensemaking.types import (
    Citation,
    Claim,
    ContextBlock,
    ContextItem,
    Entity,
    Finding,
    KnowledgeGraph,
    Point,
    Relationship,
    Report,
    Span,
    Window,
    digest,
)

DOCUMENTS = {
    "survey": (
        "The survey of 2019 at Quay 7 stopped at two metres because the tender paid for no more. "
        "Hallorsen found cadmium at Quay 7 between 3.1 and 3.9 metres in nine of 16 boreholes. "
        "Removing the cadmium from Quay 7 would cost 58 million crowns. "
        "So, the Harbour Authority has reserves of 71 million crowns and no insurance. "
        "Who pays?"
    ),
    "press": (
        "Meridian says that making Quay 7 safe with a cover would cost 31 million crowns. "
        "The ferry of the Ostervik Line employs 188 people and sails from Quay 4. "
        "The Harbour Authority expects Meridian to share the cost of Quay 7. "
        "Thank you for coming to our press day at Quay 7 this morning."
    ),
}
NAMES = {
    "quay": ("Quay 7", "place"),
    "cadmium": ("cadmium", "concept"),
    "hallorsen": ("Hallorsen", "organisation"),
    "authority": ("Harbour Authority", "organisation"),
    "meridian": ("Meridian", "organisation"),
    "ferry": ("ferry", "concept"),
    "line": ("Ostervik Line", "organisation"),
}
TIES = (
    ("quay", "hallorsen", "survey", "Hallorsen found", ""),
    ("quay", "cadmium", "survey", "Removing the", "Ida Fenner"),
    ("quay", "meridian", "press", "Meridian says", ""),
    ("quay", "authority", "press", "The Harbour Authority expects", ""),
    ("ferry", "line", "press", "The ferry", ""),
    ("cadmium", "hallorsen", "survey", "Hallorsen found", ""),
    ("cadmium", "authority", "survey", "Who pays", ""),
    ("line", "quay", "press", "Thank you", ""),
)


def text_of(document_id: str) -> str:
    return DOCUMENTS[document_id]


def sentence(document_id: str, beginning: str) -> tuple[str, Span]:
    text = DOCUMENTS[document_id]
    start = text.index(beginning)
    stops = [
        at + 1
        for at in range(start, len(text))
        if text[at] in ".?" and text[at + 1 :][:1] in (" ", "")
    ]
    return text[start : stops[0]], Span(document_id, start, stops[0])


def entity(key: str) -> Entity:
    name, kind = NAMES[key]
    spans = tuple(
        Span(document_id, at, at + len(name))
        for document_id, text in DOCUMENTS.items()
        for at in range(len(text))
        if text.startswith(name, at)
    )
    return Entity(digest(name, kind), name, kind, f"About {name}.", spans, ("c1",))


def relationship(one: str, other: str, document_id: str, beginning: str, speaker: str = ""):
    low, high = sorted((entity(one).id, entity(other).id))
    text, span = sentence(document_id, beginning)
    return Relationship(digest(low, high), low, high, text, 1.0, (span,), ("c1",), speaker)


def claim(subject: str, document_id: str, beginning: str) -> Claim:
    text, span = sentence(document_id, beginning)
    return Claim(
        id=digest("claim", text),
        subject_id=entity(subject).id,
        object_id=None,
        kind="amount",
        status="true",
        description=text,
        spans=(span,),
        chunk_ids=("c1",),
    )


def graph() -> KnowledgeGraph:
    return KnowledgeGraph(
        "general",
        tuple(sorted((entity(key) for key in NAMES), key=lambda one: one.id)),
        tuple(sorted((relationship(*tie) for tie in TIES), key=lambda one: one.id)),
        (claim("authority", "survey", "So, the Harbour"), claim("quay", "survey", "The survey")),
    )


def context(reports: tuple[Report, ...] = (), *, empty: bool = False) -> ReportContext:
    made = graph()
    entities = tuple(sorted(made.entities, key=lambda one: (-made.degrees[one.id], one.id)))
    return ReportContext(
        community_id="c",
        text="",
        n_tokens=0,
        entities=() if empty else entities,
        relationships=() if empty else tuple(relationship(*tie) for tie in TIES),
        claims=() if empty else made.claims,
        reports=reports,
        packing="elements",
        left_out=0,
        n_entities=len(made.entities),
        n_relationships=len(made.relationships),
        n_documents=2,
        n_chunks=2,
        degrees=() if empty else tuple(made.degrees[one.id] for one in entities),
    )


def finding(number: int, document_id: str, beginning: str, heading: str = "") -> Finding:
    text, span = sentence(document_id, beginning)
    tie = next(
        (one for one in (relationship(*tie) for tie in TIES) if one.description == text), None
    )
    cited = (
        Citation("relationship", tie.id, (span,))
        if tie is not None
        else Citation("claim", digest("claim", text), (span,))
    )
    return Finding(digest("finding", number), heading or text[:20], text, (cited,))


def report(key: str, title: str, findings: tuple[Finding, ...], rating: float = 5.0) -> Report:
    return Report(
        id=key,
        community_id=key,
        title=title,
        summary="",
        summary_citations=(),
        findings=findings,
        rating=rating,
        rating_reason="",
        n_tokens=100,
        weight=2,
        packing="elements",
        context_tokens=100,
    )


def block(made: Report) -> ContextBlock:
    items = tuple(
        ContextItem(number, one.heading, one.text, Citation("finding", one.id))
        for number, one in enumerate(made.findings, start=1)
    )
    return ContextBlock(
        made.id, made.title, f"# {made.title}\n", 100, made.rating, made.weight, items
    )


def window(*blocks: ContextBlock) -> Window:
    return Window(0, "", 100, blocks)


def point(
    number: int, text: str, helpfulness: int, finding_id: str = "f", heading: str = ""
) -> Point:
    cited = (Citation("finding", finding_id),)
    return Point(digest("point", number), heading, text, helpfulness, cited)

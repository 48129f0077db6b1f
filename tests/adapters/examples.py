"""One example of every record that is stored."""

from __future__ import annotations

from sensemaking.config import ChunkingSettings, Settings
from sensemaking.types import (
    Answer,
    AnswerSentence,
    Batch,
    BuildReady,
    Chunk,
    Citation,
    Claim,
    Community,
    CommunityEdit,
    Condition,
    Coverage,
    Document,
    Entity,
    EvaluatedAnswer,
    Extraction,
    Faithfulness,
    Finding,
    FoundTopics,
    HierarchyHead,
    HierarchySummary,
    Judgement,
    LevelStability,
    Mention,
    MentionedClaim,
    Paragraph,
    Point,
    Question,
    QuestionSet,
    Relationship,
    Report,
    ReportLink,
    RetrievalRow,
    RetrievalRun,
    Section,
    Sentence,
    Skipped,
    SourceFile,
    Span,
    Stability,
    SubAnswer,
    TopicEdit,
    Trial,
    Usage,
)

SPAN = Span("d1", 3, 9, 2)
CITATION = Citation("entity", "e1", (SPAN,))
POINT = Point("p1", "Ports", "It met.", 70, (CITATION,))
SUB = SubAnswer(0, "kept", 70, (POINT,), ("b1",), ("Harbour",), 12)
EXAMPLES = (
    SourceFile("f1", "a/b.txt", "text/plain", 12, "cd", "read", "", ("d1",)),
    Document(
        *("d1", "a/b.txt", "Ünï 東京", 'A "text"\nwith 😀\t.', "text/plain", "en", 4),
        metadata=(("date", "2024-01-01"),),
        sections=(Section("turn", "KEVIN:", 0, 4),),
    ),
    Chunk("c1", "d1", 0, 0, 14, 0, 6),
    Extraction(
        "c1",
        (Mention("Port", "organisation", (SPAN,)),),
        (),
        (MentionedClaim(0, None, "amount", "true", "3 million", (SPAN,), "2019"),),
        (Sentence(SPAN, (0,), "KEVIN"),),
    ),
    Entity("e1", "Port", "organisation", "", (SPAN,), ("c1",), ("The Port",)),
    Relationship("r1", "e1", "e2", "met", 0.1 + 0.2, (SPAN,), ("c1",)),
    Claim("k1", "e1", None, "amount", "true", "3 million", (SPAN,), ("c1",), "2019", None),
    HierarchyHead("general.leiden", "general", "leiden", (("a", "b"),), 3735928559, ("e9",)),
    Community("m1", "mk", 0, None, ("e1",), ("e1",), "core", 3),
    Report(
        *("t1", "m1", "Harbour", "Sums up.", (CITATION,)),
        *((Finding("t1.0", "H", "T", (CITATION,)),), 7.5, "large", 90, 4, "elements", 80),
    ),
    ReportLink("m1", "t1"),
    Answer(
        *("a1", "What?", "global", (("seed", "86"),), "It met."),
        *((Paragraph("", (AnswerSentence("It met.", 90, (CITATION,), ("p1",)),)),), ("none",)),
        *((SUB,), Coverage(1, 1, 2, 1, 1), (Skipped("map", "w1", "late", True),)),
        *(Usage(calls=2), 1.25, 0.5, 3),
    ),
    BuildReady(
        *(1, 1, 2, 1, 1, (HierarchySummary("general.leiden", "leiden", 1, 1, 1, (2,), 0),), 1, ()),
        *(Usage(), 2.5, "digest"),
    ),
    Settings(chunking=ChunkingSettings(size=300, overlap=0)),
    FoundTopics("0", 0, "Minutes of a port.", (("Ports", "What ships do."),)),
    TopicEdit("000000", "rename", "Ports", "Harbours"),
    CommunityEdit("000000", "note", "mk", "Ask the harbour master."),
    QuestionSet("set", (Question("q1", "Who pays?", gold=(("d1", 1.0),)),), ("one came twice",)),
    Batch(
        *("b1", "set", (Question("q1", "Who pays?"),), (Condition("A", (("method", "global"),)),)),
        *((("A", "B"),), ("diversity",), ("extractive",)),
    ),
    EvaluatedAnswer(
        *("v1", "q1", "A", "a1", "done", "", "The port pays.", ("The port pays.",), ((0.5, 1),)),
        faithfulness=Faithfulness(1, 0, 0, 1, 1, 2, 1, ("The port pays.",)),
    ),
    Judgement("j1", 2, "more claims"),
    RetrievalRun("r1", "set", (Question("q1", "Who pays?", gold=(("d1", 1.0),)),), ("bm25",), 10),
    RetrievalRow("q1", "bm25", ("d2", "d1"), ("d1",), 1.0, 0.63, 0.01),
    Stability(
        *("general.leiden", "leiden", ("m1", "m2"), ("e1", "e2", "e3")),
        (
            Trial(
                5.0,
                3,
                4,
                (LevelStability(0, (2, 3), 0.5, 0.25, 0.75, (0.4, 0.5), 3),),
                (3, 1),
                (1.0, None, 0.5),
            ),
        ),
    ),
)


def entity(name: str) -> Entity:
    return Entity(name, name.title(), "person", "x" * 2000, (SPAN,), ("c1",))

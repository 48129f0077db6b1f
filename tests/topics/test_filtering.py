from sensemaking.topics import filter_graph
from sensemaking.types import Chunk, Claim, Entity, KnowledgeGraph, Relationship, Span

CHUNKS = {
    key: Chunk(key, "d1", n, 100 * n, 100 * n + 100, 100 * n, 20)
    for n, key in enumerate(("c0", "c1", "c2"))
}


def entity(key, *starts):
    spans = tuple(Span("d1", start, start + 4) for start in starts)
    return Entity(key, key, "concept", "", spans, tuple(f"c{start // 100}" for start in starts))


def tie(source, target, *starts):
    spans = tuple(Span("d1", start, start + 40) for start in starts)
    chunk_ids = tuple(dict.fromkeys(f"c{start // 100}" for start in starts))
    return Relationship(f"{source}-{target}", source, target, "", 2.0, spans, chunk_ids)


def claim(key, subject, target, start):
    span = Span("d1", start, start + 30)
    return Claim(key, subject, target, "date", "true", "", (span,), (f"c{start // 100}",))


GRAPH = KnowledgeGraph(
    "general",
    (entity("a", 5, 105), entity("b", 8, 208), entity("c", 110, 120), entity("d", 215)),
    (tie("a", "b", 5, 205), tie("b", "d", 208)),
    (claim("k1", "a", None, 6), claim("k2", "b", "d", 9), claim("k3", "a", None, 106)),
)


def test_what_the_chosen_chunks_say_stays_with_its_evidence_there():
    graph = filter_graph(GRAPH, "topic-x", CHUNKS, {"c0"})
    assert graph.key == "topic-x"
    assert [one.id for one in graph.entities] == ["a", "b"]
    assert [one.id for one in graph.relationships] == ["a-b"]
    assert graph.relationships[0].spans == (Span("d1", 5, 45), Span("d1", 205, 245))
    assert graph.relationships[0].chunk_ids == ("c0",)
    assert graph.entities[0].spans == (Span("d1", 5, 9), Span("d1", 105, 109))
    assert [one.id for one in graph.claims] == ["k1"]  # the other end of k2 is not in the topic


def test_evidence_keeps_its_order_for_descriptions_follow_it():
    graph = filter_graph(GRAPH, "topic-x", CHUNKS, {"c2"})
    assert graph.relationships[0].spans == GRAPH.relationships[0].spans
    assert graph.relationships[0].chunk_ids == ("c2",)


def test_an_entity_without_a_tie_stays_when_it_is_named_twice():
    graph = filter_graph(GRAPH, "topic-x", CHUNKS, {"c1"})
    assert [one.id for one in graph.entities] == ["c"]
    assert graph.relationships == ()


def test_all_chunks_give_the_whole_graph_and_none_an_empty_one():
    whole = filter_graph(GRAPH, "topic-x", CHUNKS, set(CHUNKS))
    assert (whole.entities, whole.relationships, whole.claims) == (
        *(GRAPH.entities, GRAPH.relationships, GRAPH.claims),
    )
    empty = filter_graph(GRAPH, "topic-x", CHUNKS, ())
    assert (empty.entities, empty.relationships, empty.claims) == ((), (), ())

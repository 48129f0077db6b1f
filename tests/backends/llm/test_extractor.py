"""What a model lists becomes records with places in the document."""

from __future__ import annotations

import json

import pytest

from sensemaking.backends.llm.extractor import LlmExtractor, LlmTopicExtractor
from sensemaking.backends.llm.marking import mark
from sensemaking.config import GraphSettings, LanguageSettings
from sensemaking.errors import ContextTooLong, ReplyUnreadable
from sensemaking.graph.build import build_graph
from sensemaking.ports import TopicDraft
from sensemaking.types import Document, Extraction, Span
from tests.backends.llm.replaying import TEXT, asked, asker, counts, cut, passage

NO_GLEANING = LanguageSettings(gleanings=0)


def entity(name, kind="place", quote="", description="It is told of."):
    return {"name": name, "kind": kind, "description": description, "quote": quote}


def tie(source, target, quote="Hallorsen found cadmium at Quay 7", **more):
    return {
        "source": source,
        "target": target,
        "description": f"{source} has to do with {target}.",
        "strength": 8,
        "quote": quote,
    } | more


def claim(subject, quote="Removing it would cost 58 million crowns", **more):
    return {
        "subject": subject,
        "object": None,
        "kind": "cost",
        "status": "true",
        "start": None,
        "end": None,
        "description": f"{subject} costs 58 million crowns.",
        "quote": quote,
    } | more


GOOD = {
    "entities": [entity("Quay 7"), entity("Hallorsen", "organization"), entity("cadmium", "metal")],
    "relationships": [tie("Hallorsen", "Quay 7")],
    "claims": [claim("cadmium", start="2024-09-02", end="later")],
}


def extract(*replies, settings=NO_GLEANING, of=None, **parameters):
    one = asker(*replies, **parameters)
    return one, LlmExtractor(one, settings).extract([of or passage()])[0]


def texts(spans, of=None):
    of = of or passage()
    return [of.text[one.start - of.chunk.start : one.end - of.chunk.start] for one in spans]


def test_names_have_all_their_places_and_statements_their_quotation():
    _, found = extract(GOOD)
    assert [(one.name, one.kind) for one in found.mentions] == [
        ("Quay 7", "place"),
        ("Hallorsen", "organisation"),
        ("cadmium", "concept"),
    ]
    assert texts(found.mentions[0].spans) == ["Quay 7", "Quay 7"]
    assert [one.page for one in found.mentions[0].spans] == [3, 4]
    (tied,) = found.relationships
    assert (tied.source, tied.target, tied.weight) == (1, 0, 0.8)
    assert texts(tied.spans) == ["Hallorsen found cadmium at Quay 7"]
    (stated,) = found.claims
    assert (stated.subject, stated.status) == (2, "true")
    assert (stated.start_date, stated.end_date) == ("2024-09-02", None)
    assert (found.unlocated, found.dropped, found.sentences) == (0, 0, ())
    assert found.id == "k1"


def test_a_quotation_that_was_not_copied_well_is_found():
    sloppy = "the Harbour Authority denies it was warned by Ida Fenner"
    _, found = extract({"entities": [entity("Quay 7")], "claims": [claim("Quay 7", sloppy)]})
    assert texts(found.claims[0].spans) == [
        "The Harbour Authority denies that it was warned by Ida Fenner"
    ]


def test_what_is_not_in_the_passage_has_the_chunk_as_its_place_and_is_counted():
    listed = {
        "entities": [entity("Quay 7"), entity("Ostervik Line", quote="the line that sails")],
        "relationships": [tie("Quay 7", "Ostervik Line", "they sail from the quay every day")],
        "claims": [claim("Quay 7", "nobody has ever said this of it", description="It is green.")],
    }
    one, found = extract(listed)
    whole = (Span("d1", 100, 100 + len(TEXT), 3),)
    assert found.mentions[1].spans == whole
    assert found.relationships[0].spans == whole
    assert found.claims[0].spans == whole
    assert found.unlocated == 3
    assert counts(one)["records unlocated"] == 3


def test_a_name_written_otherwise_has_its_quotation_as_place():
    _, found = extract(
        {"entities": [entity("The Authority", quote="The Harbour Authority denies")]}
    )
    assert texts(found.mentions[0].spans) == ["The Harbour Authority denies"]
    _, found = extract({"entities": [entity("Quay 7")], "claims": [claim("Quay 7", "58 million")]})
    assert texts(found.claims[0].spans) == ["Removing it would cost 58 million crowns."]
    assert found.unlocated == 0


def test_ends_that_were_not_listed_become_mentions():
    _, found = extract(
        {"entities": [entity("Quay 7")], "relationships": [tie("the Quay 7", "Ida Fenner")]}
    )
    assert [one.name for one in found.mentions] == ["Quay 7", "Ida Fenner"]
    assert texts(found.mentions[1].spans) == ["Ida Fenner"]
    assert (found.relationships[0].source, found.relationships[0].target) == (0, 1)


def test_what_was_copied_from_the_example_is_dropped():
    listed = {
        "entities": [
            entity("Quay 7"),
            entity("Carrow Glassworks", quote="the kiln hall of the Carrow Glassworks"),
        ],
        "relationships": [tie("Wren & Daughters", "Quay 7", "bought the kiln hall")],
        "claims": [claim("Odile Marsh", "denies that she knew of the sale")],
    }
    one, found = extract(listed)
    assert [mention.name for mention in found.mentions] == ["Quay 7"]
    assert (found.relationships, found.claims) == ((), ())
    assert found.dropped == 3
    assert counts(one)["records that say nothing"] == 3


def test_a_loop_says_nothing_new():
    listed = {
        "entities": [entity("Quay 7"), entity("quay  7"), entity("cadmium")],
        "relationships": [tie("Quay 7", "cadmium"), tie("cadmium", "Quay 7")] * 30
        + [tie("Quay 7", "Quay 7")],
        "claims": [claim("Quay 7")] * 40,
    }
    _, found = extract(listed)
    assert (len(found.mentions), len(found.relationships), len(found.claims)) == (2, 2, 1)


def test_statements_of_the_overlap_are_left_to_the_chunk_before():
    listed = {
        "entities": [entity("Quay 7"), entity("Hallorsen")],
        "relationships": [tie("Quay 7", "Hallorsen", "The survey of 2019 at Quay 7 stopped")],
        "claims": [claim("Quay 7")],
    }
    _, found = extract(listed, of=passage(own=60, ordinal=1))
    assert found.relationships == ()
    assert len(found.claims) == 1
    _, first = extract(listed, of=passage(own=60, ordinal=0))
    assert len(first.relationships) == 1


def test_bad_items_do_not_take_the_good_ones_along():
    listed = json.loads(json.dumps(GOOD))
    listed["entities"].append({"kind": "person"})
    listed["claims"] += [claim("Quay 7", status="maybe", description="It is so."), "a text"]
    one, found = extract(listed)
    assert len(found.mentions) == 3
    assert [stated.status for stated in found.claims] == ["true", "suspected"]
    assert found.dropped == 2
    assert len(asked(one)) == 1


def test_half_bad_replies_are_asked_for_again():
    half = {"entities": [entity("Quay 7"), {"kind": "place"}, {"kind": "place"}]}
    one, found = extract(half, GOOD)
    assert len(found.mentions) == 3
    assert "entities[1]: name" in asked(one)[1][-1].text


def test_a_reply_that_is_cut_keeps_what_is_complete():
    text = json.dumps(GOOD)
    one, found = extract(cut(text[: text.index('"claims"') + 30]))
    assert [mention.name for mention in found.mentions] == ["Quay 7", "Hallorsen", "cadmium"]
    assert len(found.relationships) == 1
    assert found.claims == ()


def test_a_reply_in_another_language_is_kept_and_marked():
    listed = {
        "entities": [entity("7号码头", quote="调查在两米处停止")],
        "claims": [claim("7号码头", "费用为五千八百万克朗", description="清除费用很高。")],
    }
    _, found = extract(listed)
    assert found.unlocated == 2
    chinese = passage("哈洛森在7号码头发现了镉。港务局否认曾被警告。")
    _, found = extract({"entities": [entity("7号码头"), entity("镉")]}, of=chinese)
    assert texts(found.mentions[0].spans, chinese) == ["7号码头"]
    assert found.unlocated == 0


def test_gleaning_asks_first_and_takes_what_is_new():
    once = LanguageSettings(gleanings=1)
    more = {"entities": [entity("Ida Fenner", "person"), entity("Quay 7")]}
    one, found = extract(GOOD, "Yes.", more, settings=once)
    assert [mention.name for mention in found.mentions][-1] == "Ida Fenner"
    assert len(asked(one)) == 3
    assert "left out" in asked(one)[2][-1].text
    shown = json.loads(asked(one)[2][2].text)
    assert shown["relationships"][0]["quote"] == "Hallorsen found cadmium at Quay 7"
    assert shown["claims"][0]["subject"] == "cadmium"
    one, found = extract(GOOD, "**NO**, nothing.", settings=once)
    assert len(asked(one)) == 2
    assert len(found.mentions) == 3


def test_gleaning_stops_when_nothing_new_comes():
    one, _ = extract(GOOD, "YES", GOOD, "YES", settings=LanguageSettings(gleanings=5))
    assert len(asked(one)) == 3


@pytest.mark.parametrize("bad", ["Perhaps?", "", ContextTooLong("too long")])
def test_a_gleaning_that_fails_loses_nothing(bad):
    once = LanguageSettings(gleanings=1)
    _, found = extract(GOOD, bad, settings=once)
    assert len(found.mentions) == 3
    one, found = extract(GOOD, "yes", "no JSON", settings=once)
    assert len(found.mentions) == 3
    assert counts(one)["gleanings failed"] == 1


def test_an_unreadable_chunk_is_a_failure_and_not_an_empty_one():
    with pytest.raises(ReplyUnreadable, match="chunk k1"):
        extract("The the the the")
    with pytest.raises(ReplyUnreadable):
        extract({"answer": 42})


def test_an_extraction_becomes_a_graph_with_sources():
    text = "x" * 100 + TEXT
    document = Document("d1", "a.txt", "A", text, "text/plain", "en", 40)
    _, found = extract(GOOD | {"claims": [claim("Quay 7")]})
    graph = build_graph([document], [passage().chunk], [found], GraphSettings())
    assert {one.name for one in graph.entities} >= {"Quay 7", "Hallorsen"}
    (tied,) = graph.relationships
    assert text[tied.spans[0].start : tied.spans[0].end] == "Hallorsen found cadmium at Quay 7"
    assert len(graph.claims) == 1


def test_the_key_tells_models_prompts_and_settings_apart():
    keys = {
        LlmExtractor(asker("", key="a"), NO_GLEANING).key,
        LlmExtractor(asker("", key="b"), NO_GLEANING).key,
        LlmExtractor(asker("", key="a"), LanguageSettings(gleanings=1)).key,
        LlmExtractor(asker("", key="a"), LanguageSettings(gleanings=0, entity_kinds=("x",))).key,
    }
    assert len(keys) == 4


def test_budgets_shrink_with_the_context():
    large = LlmExtractor(asker("", context_tokens=128_000), NO_GLEANING)
    small = LlmExtractor(asker("", context_tokens=4096, max_tokens=4096), NO_GLEANING)
    assert 100_000 < large.context_tokens < 128_000
    assert 200 <= small.context_tokens < 2048
    assert large.waits


def test_an_extractor_for_a_topic_is_told_the_topic_as_data():
    topic = TopicDraft("Soil", "What is in\nthe ground.")
    one = asker(GOOD)
    extractor = LlmTopicExtractor(one, NO_GLEANING, topic)
    (found,) = extractor.extract([passage()], [Extraction("k1")])
    assert len(found.mentions) == 3
    assert mark("TOPIC", "Soil: What is in the ground.") in asked(one)[0][1].text
    assert "Soil" not in asked(one)[0][0].text
    other = LlmTopicExtractor(one, NO_GLEANING, TopicDraft("Money", ""))
    assert len({extractor.key, other.key, LlmExtractor(one, NO_GLEANING).key}) == 3
    nothing = LlmTopicExtractor(asker({"entities": []}), NO_GLEANING, topic)
    assert nothing.extract([passage()], [Extraction("k1")])[0].mentions == ()


def test_a_tie_weighs_less_when_its_evidence_does_not_name_its_ends():
    listed = {
        "entities": [entity("Quay 7"), entity("Hallorsen"), entity("Ida Fenner")],
        "relationships": [
            tie("Quay 7", "Hallorsen", "found cadmium at Quay 7 between 3.1"),
            tie("Hallorsen", "Ida Fenner", "Hallorsen found cadmium at"),
            tie("Hallorsen", "Ida Fenner", "cost 58 million crowns", description="It is dear."),
        ],
    }
    _, found = extract(listed)
    assert [one.weight for one in found.relationships] == [0.8, 0.5333, 0.2667]


def test_descriptions_in_another_language_are_asked_for_again():
    told = "Der Kai ist ein Ort, an dem die Firma ein Gift in der Erde gefunden hat, das ist so."
    one, found = extract({"entities": [entity("Quay 7", description=told)]}, GOOD)
    assert "another language (de)" in asked(one)[1][-1].text
    assert len(found.mentions) == 3

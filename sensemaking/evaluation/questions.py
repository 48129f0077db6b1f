"""Question sets: read from other people's files, written for them, made of personas.

Bytes of a file come in; out go questions with ids, or an `InputError` that says which line is wrong
and what to do. JSON lines, JSON lists (BenchmarkQED: question_id, question_text, answer), tables
with a header, and plain text with one question a line are understood, in any usual encoding.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Literal

from sensemaking.errors import InputError
from sensemaking.ports import PersonaDraft
from sensemaking.text.reading.content import Unreadable
from sensemaking.text.reading.decoding import decode
from sensemaking.types import Question, QuestionSet, digest

Format = Literal["jsonl", "benchmarkqed"]

TEXTS = ("question", "question_text", "text", "query")
IDS = ("id", "question_id")
ANSWERS = ("answer", "reference_answer")
GOLD = ("gold_ids", "gold", "relevant")
KINDS = ("type", "kind", "question_type")
NEEDED = (
    f"A question set needs a column (or key) “{TEXTS[0]}” (or {', '.join(TEXTS[1:])}) and may have "
    f"“{IDS[0]}”, “{ANSWERS[0]}”, “{GOLD[0]}” and “{KINDS[0]}”."
)
MAX_TOPICS = 40


def read_questions(name: str, data: bytes) -> QuestionSet:
    """Return the question set of a file; `name` is the file's name, the set is called by its stem.

    A question that comes twice is kept once, an empty one is left out; both are noted.

    Raises
    ------
    InputError
        When the file is not text, holds no question, lacks the column of the questions, has a line
        that cannot be read, or gives one id to two questions.
    """
    try:
        text = decode(data)
    except Unreadable as error:
        raise InputError(f"{name} cannot be read. {error}") from error
    rows = _rows(name, text)
    read = [(place, _question(name, place, row)) for place, row in rows]
    empty = [place for place, one in read if one is None]
    questions = [one for _, one in read if one is not None]
    if not questions:
        raise InputError(f"{name} holds no question. {NEEDED}")
    found = gather_questions(name, questions)
    notes = list(found.notes)
    if empty:
        more = f" and {len(empty) - 5:,} more" if len(empty) > 5 else ""
        notes.append(f"Without a question, and left out: {', '.join(empty[:5])}{more}.")
    return QuestionSet(PurePosixPath(name).stem, found.questions, tuple(notes))


def gather_questions(name: str, questions: Iterable[Question]) -> QuestionSet:
    """Return questions as a set: each text once, each id for one text.

    Raises
    ------
    InputError
        When two different questions have the same id.
    """
    kept: dict[str, Question] = {}
    ids: dict[str, Question] = {}
    repeated = 0
    for one in questions:
        folded = " ".join(one.text.split()).casefold()
        if folded in kept:
            repeated += 1
            continue
        if one.id in ids:
            raise InputError(
                f"{name}: two questions have the id “{one.id}”: “{_short(ids[one.id].text)}” and "
                f"“{_short(one.text)}”. Give each its own id, or leave the ids out."
            )
        kept[folded] = ids[one.id] = one
    notes = (f"{repeated} of the questions came twice and are kept once.",) if repeated else ()
    return QuestionSet(name, tuple(kept.values()), notes)


def revise_questions(
    found: QuestionSet, start: int, stop: int, rows: Sequence[Mapping[str, str]]
) -> QuestionSet:
    """Return a set whose questions from `start` to `stop` (from 0) are those of `rows` now.

    A row has the keys of a question file; gold are names with semicolons between. Rows without a
    question are left out. Gains of gold that was not touched stay, and so does who asks.

    Raises
    ------
    InputError
        When nothing is left, or an id is given twice.
    """
    before = {one.id: one for one in found.questions[start:stop]}
    fresh = []
    for number, row in enumerate(rows, start=start + 1):
        one = _question(found.id, f"row {number}", row)
        old = before.get(one.id) if one is not None else None
        if one is not None and old is not None and gold_text(old) == row.get(GOLD[0], ""):
            one = replace(one, gold=old.gold)
        if one is not None:
            fresh.append(replace(one, origin=one.origin or old.origin) if old is not None else one)
    whole = (*found.questions[:start], *fresh, *found.questions[stop:])
    if not whole:
        raise InputError(f"{found.id} would hold no question: keep at least one, or delete it.")
    return gather_questions(found.id, whole)


def gold_text(question: Question) -> str:
    """Return the gold documents of a question as they are edited: names, semicolons between."""
    return "; ".join(name for name, _ in question.gold)


def write_questions(questions: Sequence[Question], form: Format = "jsonl") -> str:
    """Return a file that `read_questions` reads back: JSON lines, or BenchmarkQED's list."""
    if form == "benchmarkqed":
        listed = [
            {"question_id": one.id, "question_text": one.text, "answer": one.answer}
            for one in questions
        ]
        return json.dumps(listed, ensure_ascii=False, indent=2) + "\n"
    lines = [
        {
            "id": one.id,
            "question": one.text,
            "type": one.kind,
            "answer": one.answer or None,
            "gold_ids": _gold_object(one.gold),
            **({"persona": one.origin[0], "task": one.origin[1]} if len(one.origin) > 1 else {}),
        }
        for one in questions
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def write_answers(questions: Sequence[Question], answers: Mapping[str, str]) -> str:
    """Return the answers of one method as BenchmarkQED's list; `answers` go by question id.

    A question without an answer is left out: it is not one that was answered with nothing.
    """
    listed = [
        {"question_id": one.id, "question_text": one.text, "answer": answers[one.id]}
        for one in questions
        if one.id in answers
    ]
    return json.dumps(listed, ensure_ascii=False, indent=2) + "\n"


def questions_of_personas(name: str, drafts: Sequence[PersonaDraft]) -> QuestionSet:
    """Return the questions of personas as a set, with who asks and what for."""
    return gather_questions(
        name,
        (
            Question(digest(text)[:12], text, "global", origin=(draft.persona, task))
            for draft in drafts
            for task, texts in draft.tasks
            for text in (" ".join(one.split()) for one in texts)
            if text
        ),
    )


def describe_corpus(title: str, topics: Sequence[str], names: Sequence[str]) -> str:
    """Return what a question writer is told of a corpus: topics and names, one a line.

    Topics come as "- topic" lines, largest first, names as "* name" lines.
    """
    lines = [f"A collection of documents called “{title}”. It deals with:"]
    lines += [f"- {' '.join(one.split())}" for one in dict.fromkeys(topics) if one.strip()]
    if names:
        lines.append("Often named:")
    lines += [f"* {' '.join(one.split())}" for one in dict.fromkeys(names) if one.strip()]
    return "\n".join(lines[: 2 * MAX_TOPICS])


def _rows(name: str, text: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return (place, fields) of every question."""
    stripped = text.strip().lstrip("\ufeff")
    if stripped[:1] == "[":
        return _listed(name, _parse(name, "the file", stripped))
    if stripped[:1] == "{":
        return _json_lines(name, stripped)
    if name.lower().endswith((".txt", ".md")):
        lines = (line.strip() for line in stripped.splitlines())
        return [(f"line {n}", {TEXTS[0]: one}) for n, one in enumerate(lines, start=1) if one]
    return _table(name, stripped)


def _json_lines(name: str, text: str) -> list[tuple[str, Mapping[str, Any]]]:
    # Not splitlines: JSON may hold other ends of lines inside its texts.
    lines = [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        rows = [(f"line {n}", _parse(name, f"line {n}", line)) for n, line in lines]
    else:
        if isinstance(whole.get("questions"), list):
            return _listed(name, whole["questions"])
        rows = [("line 1", whole)]
    for place, row in rows:
        if not isinstance(row, dict):
            raise InputError(f"{name}, {place}: it is no object but {_short(str(row))}. {NEEDED}")
    return rows


def _listed(name: str, found: Any) -> list[tuple[str, Mapping[str, Any]]]:  # noqa: ANN401 - parsed
    rows: list[tuple[str, Mapping[str, Any]]] = []
    for n, one in enumerate(found, start=1):
        if isinstance(one, str):
            rows.append((f"entry {n}", {TEXTS[0]: one}))
        elif isinstance(one, dict):
            rows.append((f"entry {n}", one))
        else:
            raise InputError(f"{name}, entry {n}: it is neither text nor an object. {NEEDED}")
    return rows


def _parse(name: str, place: str, text: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}, {place} is not JSON ({error}): “{_short(text)}”. Mend it, or save the "
            "questions as JSON lines, one object a line."
        ) from error


def _table(name: str, text: str) -> list[tuple[str, Mapping[str, Any]]]:
    head = text.splitlines()[0] if text else ""
    mark = max(",;\t", key=head.count)
    try:
        rows = list(csv.DictReader(io.StringIO(text), delimiter=mark, strict=False))
    except csv.Error as error:
        raise InputError(f"{name} cannot be read as a table ({error}). {NEEDED}") from error
    return [(f"row {n}", _cells(row)) for n, row in enumerate(rows, start=1)]


def _cells(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key).strip().lower(): value for key, value in row.items() if isinstance(value, str)}


def _question(name: str, place: str, row: Mapping[str, Any]) -> Question | None:
    known = {str(key).strip().lower(): value for key, value in row.items()}
    if not any(key in known for key in TEXTS):
        have = ", ".join(f"“{_short(str(key))}”" for key in list(row)[:8]) or "nothing"
        raise InputError(
            f"{name}, {place} has {have}. {NEEDED} Rename the column of the questions."
        )
    text = _field(known, TEXTS)
    if text is None or (isinstance(text, str) and not text.strip()):
        return None
    if not isinstance(text, str):
        raise InputError(
            f"{name}, {place}: the question is {_short(str(text))}, which is no text: write it as "
            "text or delete the line."
        )
    _check_characters(name, place, known)
    text = text.strip()
    key = _field(known, IDS)
    answer = _field(known, ANSWERS)
    origin = (known.get("persona"), known.get("task"))
    return Question(
        id=str(key).strip() if key not in (None, "") else digest(text)[:12],
        text=text,
        kind=str(_field(known, KINDS) or ""),
        answer=answer if isinstance(answer, str) else "",
        gold=_gold(name, place, _field(known, GOLD)),
        origin=tuple(str(one) for one in origin) if all(origin) else (),
    )


def _check_characters(name: str, place: str, row: Mapping[str, Any]) -> None:
    """Raise where a text holds half of a character, which no file could hold."""
    try:
        json.dumps(row, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name}, {place} holds a broken character (“\\u” and half of a pair): write it anew."
        ) from error


def _field(row: Mapping[str, Any], names: Sequence[str]) -> Any:  # noqa: ANN401 - parsed
    return next((row[one] for one in names if row.get(one) not in (None, "")), None)


def _gold(name: str, place: str, found: Any) -> tuple[tuple[str, float], ...]:  # noqa: ANN401
    if found is None:
        return ()
    if isinstance(found, str):
        found = [one.strip() for one in found.replace(",", ";").replace("|", ";").split(";")]
    try:
        pairs = found.items() if isinstance(found, dict) else [(one, 1.0) for one in found]
        gold = {str(key): float(gain) for key, gain in pairs if str(key).strip()}
    except (TypeError, ValueError, OverflowError):
        gold = {"": math.nan}
    if not all(math.isfinite(gain) and gain >= 0 for gain in gold.values()):
        raise InputError(
            f"{name}, {place}: the gold documents are {_short(str(found))}. Give a list of "
            "document names, or an object of names and gains from 0."
        )
    return tuple(gold.items())


def _gold_object(gold: Sequence[tuple[str, float]]) -> Any:  # noqa: ANN401 - becomes JSON
    return dict(gold) if any(gain != 1 for _, gain in gold) else [key for key, _ in gold]


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"

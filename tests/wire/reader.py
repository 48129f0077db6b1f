"""A script that does what it is asked, by rules: the whole path over a real connection.

It knows our tasks by what stands between the marks of a prompt, and answers each from that text
alone: names written in capitals, sentences, labels, numbers.
"""

from __future__ import annotations

import re
from typing import Any

_DATA = re.compile(r"<<<(\w+) (\w+)>>>\n(.*?)\n<<<END \1 \2>>>", re.DOTALL)
_NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)+")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]")
_LABEL = re.compile(r"^\[([ERCS]\d+)\] (.*)$", re.MULTILINE)
_ITEM = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


def read(body: dict[str, Any]) -> Any:
    """Return the reply to a request: an object, or text for what is not JSON."""
    messages = body["messages"]
    last = messages[-1]["content"]
    if last.startswith("Did you leave out"):
        return "NO"
    data = {name: text for name, _, text in _DATA.findall(last)}
    if "PASSAGE" in data:
        return extract(data["PASSAGE"])
    system = messages[0]["content"]
    text = "\n".join(data.values())
    if system.startswith("You write a report"):
        return report(text)
    if system.startswith("You look through numbered items"):
        return points(text)
    if system.startswith("You answer a question"):
        return " ".join(f"{said} [{n}]." for n, said in _numbered(text)[:5])
    return {"description": text.splitlines()[0][:200] if text else "Nothing is known."}


def extract(passage: str) -> dict[str, Any]:
    """Return every name, and a tie between the names of a sentence, each with its sentence."""
    names: dict[str, str] = {}
    ties, claims = [], []
    for sentence in (one.strip() for one in _SENTENCE.findall(passage)):
        found = list(dict.fromkeys(_NAME.findall(sentence)))
        for name in found:
            names.setdefault(name, sentence)
        ties += [
            {
                "source": a,
                "target": b,
                "description": sentence,
                "strength": 5,
                "quote": sentence,
            }
            for a, b in zip(found, found[1:], strict=False)
        ]
        if found and re.search(r"\d", sentence):
            claims.append(
                {
                    "subject": found[0],
                    "object": None,
                    "kind": "figure",
                    "status": "true",
                    "start": None,
                    "end": None,
                    "description": sentence,
                    "quote": sentence,
                }
            )
    entities = [
        {"name": name, "kind": "organisation", "description": sentence, "quote": sentence}
        for name, sentence in names.items()
    ]
    return {"entities": entities, "relationships": ties, "claims": claims}


def report(records: str) -> dict[str, Any]:
    """Return a report whose findings are records, each with its own label."""
    found = _LABEL.findall(records)
    findings = [
        {"heading": "What it says", "text": _plain(said)[:300], "records": [label]}
        for label, said in found[-6:]
    ]
    title = ", ".join(said.split(" (")[0] for _, said in found[:2]) or "Nothing"
    return {
        "title": title[:80],
        "summary": " ".join(one["text"] for one in findings[:2]),
        "rating": 6,
        "rating_reason": "It has records.",
        "findings": findings,
    }


def _plain(row: str) -> str:
    """Return what a row says, without its kind or dates in brackets at the end."""
    return re.sub(r"\s*\([^()]*\)\s*$", "", row)


def points(items: str) -> dict[str, Any]:
    """Return a point for each of the first items."""
    return {
        "points": [
            {"heading": f"Item {n}", "text": said[:300], "helpfulness": 80 - i, "items": [int(n)]}
            for i, (n, said) in enumerate(_ITEM.findall(items)[:5])
        ]
    }


def _numbered(text: str) -> list[tuple[str, str]]:
    found = []
    for n, said in _ITEM.findall(text):
        plain = re.sub(r"^\(helpfulness \d+\) [^:]*: ", "", said)
        found.append((n, plain.rstrip(".")))
    return found

"""Text that would do harm if a page took it for markup, and a model that says nothing else."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from tests.wire.reader import read

HOST = "https://evil.invalid"
HIT = "window.hit = (window.hit || 0) + 1"
NAMES = {
    "image": f"<img src=x onerror='{HIT}'>",
    "script": f"</script><script>{HIT}</script>",
    "picture": f"![p]({HOST}/p.png)",
    "link": f"[read on]({HOST}/a)",
    "bare": f"{HOST}/bare",
    "formula": '=cmd|"/C calc"!A0',
    "arabic": "\u202eynapmoC yrreF\u202c Ltd",
    "zalgo": "".join(f"{one}\u0336\u0321\u0327\u0328\u0489\u030d\u0311" for one in "Zalgo"),
    "long": "Longname" * 1250,
    "emoji": "\U0001f469\u200d\U0001f469\u200d\U0001f467\U0001f525\U0001f3f4\u200d\u2620\ufe0f",
    "directive": ":material/bolt: :red[alarm] $\\href{" + HOST + "}{x}$",
    "href": f'href="javascript:{HIT}"',
}
PLAIN = ("Ada Penrose", "Ferry Company")
ALL = (*NAMES.values(), *PLAIN)
TITLE = f"{NAMES['image']} {NAMES['picture']} {NAMES['link']}"
QUESTION = f"What of {NAMES['image']} {NAMES['picture']} {NAMES['script']} :material/bolt:"


def documents() -> dict[str, str]:
    """Return documents in which every hostile name meets two others."""
    rows = [f"{a} met {b} in 2024 about the quay." for a, b in pairwise((*ALL, *ALL[::2], ALL[0]))]
    halves = rows[::2], rows[1::2]
    return {
        f"<b>{n}</b> ![p]({HOST.replace('/', ':')}).md": f"# {TITLE}\n\n" + "\n\n".join(half)
        for n, half in enumerate(halves)
    }


def speak(body: dict[str, Any]) -> Any:
    """Return what the reader of `tests.wire` says, with hostile names, titles and sentences."""
    last = body["messages"][-1]["content"]
    system = body["messages"][0]["content"]
    passage = re.search(r"<<<PASSAGE \w+>>>\n(.*?)\n<<<END", last, re.DOTALL)
    if passage and not last.startswith("Did you leave out"):
        return _extract(passage.group(1))
    said = read(body)
    if system.startswith("You write a report"):
        said["title"], said["rating_reason"] = TITLE, TITLE
        said["summary"] = f"{TITLE} {said['summary']}"
        for one in said["findings"]:
            one["heading"] = TITLE
    elif system.startswith("You look through"):
        for one in said["points"]:
            one["heading"] = TITLE
    elif system.startswith("You answer a question"):
        return f"{NAMES['image']} and {NAMES['picture']} met [1]. {said}"
    return said


def _extract(passage: str) -> dict[str, Any]:
    lines = [one for one in passage.splitlines() if " met " in one]
    found: dict[str, str] = {}
    ties = []
    for line in lines:
        ends = [one for one in ALL if one in line][:2]
        for one in ends:
            found.setdefault(one, line)
        if len(ends) == 2:
            tie = {"source": ends[0], "target": ends[1], "strength": 5}
            ties.append(tie | {"description": line[:400], "quote": line})
    return {
        "entities": [
            {"name": one, "kind": "organisation", "description": TITLE, "quote": line}
            for one, line in found.items()
        ],
        "relationships": ties,
        "claims": [
            {
                "subject": one,
                "object": None,
                "kind": "meeting",
                "status": "true",
                "start": "2024",
                "end": None,
                "description": TITLE,
                "quote": line,
            }
            for one, line in found.items()
        ],
    }

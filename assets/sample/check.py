"""Check the sample corpus against its ground truth. Run: python check.py"""

import html
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
texts = {p.name: p.read_text(encoding="utf-8") for p in sorted((HERE / "documents").iterdir())}
truth = json.loads((HERE / "ground_truth.json").read_text(encoding="utf-8"))
errors = []


def expect(ok, message):
    if not ok:
        errors.append(message)


def prose(name):
    text = texts[name]
    return html.unescape(re.sub(r"<[^>]+>", " ", text)) if name.endswith(".html") else text


def quoted(where, item):
    name, quote = item["document"], item["quote"]
    expect(quote and quote in texts.get(name, ""), f"{where}: not in {name}: {quote[:60]}")


def together(a, b, name, reach=400):
    """Whether the two names stand within neighbouring sentences."""
    text = prose(name).casefold()
    spots = {n: [m.start() for m in re.finditer(re.escape(n.casefold()), text)] for n in (a, b)}
    return any(abs(i - j) < reach for i in spots[a] for j in spots[b])


words = {name: len(prose(name).split()) for name in texts}
expect(len(texts) >= 40, f"only {len(texts)} documents")
expect(sum(words.values()) >= 25_000, f"only {sum(words.values())} words")
for key, count in {"themes": 8, "links": 30, "conflicts": 6, "questions": 10}.items():
    expect(len(truth[key]) == count, f"{len(truth[key])} {key}, expected {count}")
    ids = [item["id"] for item in truth[key]]
    expect(ids == [f"{key[0]}{n}" for n in range(1, len(ids) + 1)], f"{key}: ids out of order")

themed = set()
for theme in truth["themes"]:
    names = theme["documents"]
    themed.update(names)
    expect(len(set(names)) >= 4, f"{theme['id']}: fewer than 4 documents")
    expect(5 <= len(theme["keywords"]) <= 10, f"{theme['id']}: keyword count")
    found = {
        n: {k for k in theme["keywords"] if k.casefold() in prose(n).casefold()}
        for n in names
        if n in texts
    }
    for name in names:
        expect(found.get(name), f"{theme['id']}: no keyword in {name}")
    for word in theme["keywords"]:
        expect(
            any(word in hits for hits in found.values()),
            f"{theme['id']}: keyword never used: {word}",
        )
expect(themed == set(texts), f"theme documents differ from files: {sorted(themed ^ set(texts))}")

for link in truth["links"]:
    source, target, names = link["source"], link["target"], link["documents"]
    expect(len(set(names)) >= 2 and set(names) <= set(texts), f"{link['id']}: documents")
    expect(
        any(together(source, target, n) for n in names if n in texts),
        f"{link['id']}: {source} / {target} never together",
    )
    expect(
        len({e["document"] for e in link["evidence"]}) >= 2,
        f"{link['id']}: evidence from one file only",
    )
    for item in link["evidence"]:
        quoted(link["id"], item)
        expect(item["document"] in names, f"{link['id']}: evidence outside its documents")
        named = item["quote"].casefold()
        expect(
            source.casefold() in named or target.casefold() in named,
            f"{link['id']}: names neither: {named[:60]}",
        )

for conflict in truth["conflicts"]:
    expect(
        len({c["document"] for c in conflict["claims"]}) >= 2,
        f"{conflict['id']}: needs two documents",
    )
    for claim in conflict["claims"]:
        quoted(conflict["id"], claim)

points = [(q["id"], p) for q in truth["questions"] for p in q["points"]]
for question in truth["questions"]:
    expect(4 <= len(question["points"]) <= 8, f"{question['id']}: point count")
for owner, point in points:
    where = f"{owner}.{point['id']}"
    expect(2 <= len(point["keywords"]) <= 4 and point["evidence"], f"{where}: keywords or evidence")
    for word in point["keywords"]:
        expect(
            word.casefold() in point["text"].casefold(), f"{where}: keyword not in its text: {word}"
        )
    for item in point["evidence"]:
        quoted(where, item)

print(
    f"{len(texts)} documents, {sum(words.values())} words, "
    f"shortest {min(words.values())}, longest {max(words.values())}"
)
print(
    ", ".join(f"{len(truth[k])} {k}" for k in ("themes", "links", "conflicts", "questions"))
    + f", {len(points)} points"
)
print("\n".join(errors) or "all checks passed")
sys.exit(bool(errors))

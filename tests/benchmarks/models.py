"""What the engine costs beside its models: a build against a scripted server, and an answer.

    python -m tests.benchmarks.models [--chunks 200] [--latency 0.3] [--packaged]

The server runs in a process of its own and takes `--latency` seconds for every reply. The ideal
schedule is the sum over dependent stages of ceil(calls / 16) times the latency: extraction, merged
descriptions, the reports of each height of the hierarchy, vectors. "Against a bare client" takes
the latency that 16 connections see which do nothing else. CPU is that of the engine alone,
without the loading of libraries, which takes as long however much is built: the vocabulary and
Chroma, told in a column of their own, and the client library, which is loaded before.
`--packaged` embeds with MiniLM instead of the server. One hierarchy, no gleaning.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from sensemaking.types import Hierarchy

CONCURRENCY = 16
BARE_ROUNDS = 5
NAMES = 1200
FACTS = 6
FILLER = "the minutes were read out once more and the meeting was put off until the spring tides."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.3)
    parser.add_argument("--packaged", action="store_true", help="vectors of the packaged model")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        measure(Path(options.child), options.chunks)
        return
    serving = [sys.executable, "-m", "tests.wire", "tests.wire.reader:read"]
    server = subprocess.Popen(
        [*serving, "--latency", str(options.latency)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    environment = os.environ | {
        "SENSEMAKING_MODEL": "reader",
        "SENSEMAKING_BASE_URL": url,
        "SENSEMAKING_CONTEXT_TOKENS": "32000",
        "SENSEMAKING_CONCURRENCY": str(CONCURRENCY),
    }
    if not options.packaged:
        environment |= {
            "SENSEMAKING_EMBEDDINGS_MODEL": "vectors",
            "SENSEMAKING_EMBEDDINGS_BASE_URL": url,
            "SENSEMAKING_EMBEDDINGS_DIMENSION": "64",
        }
    try:
        with tempfile.TemporaryDirectory() as home:
            arguments = [sys.executable, "-m", "tests.benchmarks.models", "--child", home]
            done = subprocess.run(
                [*arguments, "--chunks", str(options.chunks)],
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
        found = json.loads(done.stdout.splitlines()[-1])
        bare = bare_latency(url)
    finally:
        server.kill()
    stages = found["stages"]
    rounds = sum(math.ceil(n / CONCURRENCY) for n in stages.values())
    ideal = rounds * options.latency
    print(f"{time.strftime('%Y-%m-%d')}  {found['chunks']} chunks, {found['calls']} calls")
    print("calls a stage:", ", ".join(f"{name} {n}" for name, n in stages.items()))
    print(
        "| build s | ideal s | ratio | against a bare client | CPU ms a chunk | loading CPU s "
        "| peak MiB | first sub-answer s | answer s |"
    )
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    print(
        f"| {found['seconds']:.1f} | {ideal:.1f} | {found['seconds'] / max(ideal, 1e-9):.2f} | "
        f"{found['seconds'] / max(rounds * bare, 1e-9):.2f} | "
        f"{1000 * found['cpu'] / found['chunks']:.1f} | {found['loading']:.2f} | "
        f"{found['peak']:.0f} | "
        f"{found['first']:.2f} | {found['answer']:.2f} |"
    )


def bare_latency(url: str) -> float:
    """Return the seconds that a reply takes for a client that does nothing else, 16 at once."""
    connections = [HTTPConnection(urlsplit(url).netloc) for _ in range(CONCURRENCY)]
    data = "\n".join(documents(1)[0][1].decode() for _ in range(3))
    body = json.dumps({"model": "reader", "messages": [{"role": "user", "content": data}]})

    def call(connection: HTTPConnection) -> None:
        for _ in range(BARE_ROUNDS):
            path = f"{urlsplit(url).path}/chat/completions"
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            connection.getresponse().read()

    began = time.monotonic()
    with ThreadPoolExecutor(CONCURRENCY) as threads:
        list(threads.map(call, connections))
    return (time.monotonic() - began) / BARE_ROUNDS


def measure(home: Path, n_chunks: int) -> None:
    """Build and ask in this process, and print what it took as JSON."""
    from sensemaking.config import AskSettings, LanguageSettings, Settings
    from sensemaking.workspace import Workspace

    workspace = Workspace.open(home)
    settings = Settings(backend="llm", language=LanguageSettings(gleanings=0))
    corpus = workspace.create("measured", settings)
    corpus.add_files(documents(n_chunks))
    loading = warm_up()
    before = resource.getrusage(resource.RUSAGE_SELF)
    began = time.monotonic()
    corpus.start_build()
    job = corpus.wait_for_build()
    seconds = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_SELF)
    if job is None or job.result is None:
        raise SystemExit(f"the build did not end well: {job.error if job else job}")
    hierarchy = corpus.hierarchy("general.leiden")
    heights = Counter(_height(hierarchy, one.id) for one in hierarchy.communities)
    told = {stage.name: stage.total for stage in job.stages}
    stages = {"extract": told["extract"], "describe": told.get("describe", 0)}
    stages |= {f"reports of height {height}": heights[height] for height in sorted(heights)}
    n_texts = told["vectors"]
    if workspace.models.settings.embeddings is not None:
        stages["vectors"] = math.ceil(n_texts / corpus.engine.embedder.batch_size)
    key = corpus.start_answer("What is said about the bridge?", AskSettings())
    answer = corpus.wait_for_answer(key).answer
    if answer is None:
        raise SystemExit("there was no answer")
    print(
        json.dumps(
            {
                "chunks": job.result.chunks,
                "calls": job.result.usage.calls,
                "stages": stages,
                "seconds": seconds,
                "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                "loading": loading,
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "first": answer.seconds_to_first,
                "answer": answer.seconds,
            }
        )
    )
    workspace.close()


def warm_up() -> float:
    """Load libraries; returns the CPU seconds of those that a build would load by itself."""
    from sensemaking.adapters.chroma import connect, load_chroma
    from sensemaking.adapters.loading import load
    from sensemaking.adapters.models.abilities import Options
    from sensemaking.adapters.models.clients import Client
    from sensemaking.adapters.models.connections import Connections
    from sensemaking.adapters.tokenizer import BpeTokenizer
    from sensemaking.config import ModelChoice

    load("openai", "langchain_openai", "networkx")
    began = time.process_time()
    load_chroma()
    # A client and a folder that nothing is done with: both libraries load some of their parts when
    # they are first used.
    unused = ModelChoice(model="none", base_url="http://127.0.0.1:9/v1")
    Client(unused, Connections()).prepare(Options(1))
    with tempfile.TemporaryDirectory() as folder:
        connect(Path(folder), None).close()
    BpeTokenizer().count("The vocabulary is loaded with the first text.")
    return time.process_time() - began


def documents(n: int) -> list[tuple[str, bytes]]:
    """Return texts of one chunk each about a few hundred names, made up with a seed."""
    rng = random.Random(86)
    first = ("Larm", "Venn", "Torb", "Melk", "Kasp", "Brek", "Holm", "Norl", "Sild", "Dank")
    last = ("ar", "en", "ic", "om", "us", "ey", "ia", "or", "ul", "et")
    names = [
        f"{rng.choice(first)}{rng.choice(last)} {rng.choice(first)}{rng.choice(last)}son"
        for _ in range(NAMES)
    ]
    found = []
    for i in range(n):
        start = (5 * i) % (NAMES - 12)
        group = names[start : start + 12]
        sentences = [
            f"In {2000 + rng.randrange(25)} {rng.choice(group)} paid {rng.randrange(90)} marks to "
            f"{rng.choice(group)} for the bridge and its {rng.randrange(9)} piers."
            for _ in range(FACTS)
        ]
        sentences += [FILLER] * (19 - FACTS)
        rng.shuffle(sentences)
        found.append((f"{i:04d}.txt", " ".join(sentences).encode()))
    return found


def _height(hierarchy: Hierarchy, community_id: str) -> int:
    children = hierarchy.children[community_id]
    return 1 + max((_height(hierarchy, one.id) for one in children), default=-1)


if __name__ == "__main__":
    main()

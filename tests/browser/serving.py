"""A server in a process of its own, and a real browser that may talk to nothing else.

For the browser tests, for pictures of the pages and for measurements, which all need both.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
START_SECONDS = 240
LOCAL = ("127.0.0.1", "localhost")
IDLE = '[data-testid=stApp][data-test-script-state="notRunning"]'
"""There once the page's script has ended."""


@dataclass
class Watch:
    """What a page did that it must not do; without slots, as the driver marks its listeners."""

    remote: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def on(self, page: Any) -> None:
        """Listen to a page."""
        page.on("request", self.request)
        page.on("websocket", self.request)
        page.on("console", self.console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def request(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in LOCAL:
            self.remote.append(url)

    def console(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            place = getattr(message, "location", {}).get("url", "")
            # A page below the root is probed for its base path before the root is: not an error.
            if not place.endswith(("/_stcore/health", "/_stcore/host-config")):
                self.errors.append(f"{getattr(message, 'text', '')} {place}")


@dataclass(frozen=True, slots=True)
class Server:
    """Where the app answers, and where its corpora are; `began` is when the process was started."""

    url: str
    home: Path
    log: Path
    began: float


class NoStart(Exception):
    """The app does not answer; the message is the end of its log."""


@contextmanager
def serve(home: Path, log: Path, script: Path = Path("app.py")) -> Iterator[Server]:
    """Run the app, or another script, over a home until the block ends; entered once it answers.

    Raises
    ------
    NoStart
        It does not answer within four minutes.
    """
    url = f"http://127.0.0.1:{_free_port()}"
    command = [
        *(sys.executable, "-m", "streamlit", "run", str(script), "--server.headless=true"),
        *("--server.address=127.0.0.1", f"--server.port={urlsplit(url).port}"),
    ]
    environment = {**os.environ, "SENSEMAKING_HOME": str(home)}
    began = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        _wait_until_healthy(url, process, log)
        yield Server(url, home, log, began)
    finally:
        process.terminate()
        process.wait(60)


def chromium_path() -> str | None:
    """Return where a Chromium is installed, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def browse(path: str) -> Iterator[Any]:
    """Run a headless browser until the block ends."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as reply:
                if reply.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.02)
    raise NoStart(f"The app did not start: {log.read_text()[-2000:]}")


@contextmanager
def watched(chromium: Any, width: int, height: int, step_ms: int) -> Iterator[Any]:
    """Give a page of that size; at its end nothing was asked of another host, no error was told."""
    watch = Watch()
    context = chromium.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(step_ms)
    page = context.new_page()
    watch.on(page)
    yield page
    context.close()
    assert watch.remote == []
    assert watch.errors == []

"""One server and one browser for the tests of a file."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.browser.serving import NoStart, Server, browse, chromium_path, serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    try:
        with serve(folder / "home", folder / "log.txt") as running:
            yield running
    except NoStart as error:
        pytest.fail(str(error))


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    path = chromium_path()
    if path is None:
        reason = "No chromium is installed: apt-get install chromium fonts-dejavu."
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with browse(path) as browser:
        yield browser

"""The Settings page: models by role, the check, prices and budget, storage; and the build panel."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from sensemaking.config import Defaults, Settings
from sensemaking.errors import ConfigError
from sensemaking.types import Estimate
from sensemaking.workspace import Workspace
from tests.pages.conftest import SECONDS, Visit, fill, keys, looked_at, markup
from tests.wire import ScriptedServer, wrong_key
from tests.wire.reader import read

KEY = "sk-very-secret-0123456789"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(read) as one:
        yield one


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SENSEMAKING_MODEL", "SENSEMAKING_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def set_model(app, server: ScriptedServer):  # type: ignore[no-untyped-def]
    app.text_input(key="model_name_default").input("reader")
    app.text_input(key="model_address_default").input(server.url)
    app.text_input(key="model_key_default").input(KEY)
    return looked_at(app.button(key="save_default").click().run())


def test_a_model_is_saved_and_its_key_never_shown(
    fresh: Workspace, visit: Visit, server: ScriptedServer
) -> None:
    set_model(visit(fresh, "settings"), server)
    saved = fresh.models.saved.default
    assert (saved.model, saved.base_url) == ("reader", server.url)
    assert saved.api_key.get_secret_value() == KEY
    app = visit(fresh, "settings")
    assert KEY not in markup(app)
    assert all(KEY not in str(one.value) for one in app.text_input)
    # An empty field keeps the key, another address drops it.
    looked_at(app.button(key="save_default").click().run())
    assert fresh.models.saved.default.api_key.get_secret_value() == KEY
    app.text_input(key="model_address_default").input("http://127.0.0.1:1/v1")
    looked_at(app.button(key="save_default").click().run())
    assert fresh.models.saved.default.api_key.get_secret_value() == ""


@pytest.mark.parametrize(
    ("act", "said"), [(None, "JSON mode json_schema"), (wrong_key(), "key")], ids=["good", "bad"]
)
def test_the_check_says_what_works_and_what_is_wrong(
    fresh: Workspace, visit: Visit, server: ScriptedServer, act: object, said: str
) -> None:
    if act is None:
        server.script = lambda _: {"ready": True}
    else:
        server.script = lambda _: act
    app = set_model(visit(fresh, "settings"), server)
    app.button(key="check_models").click().run()
    until = time.monotonic() + SECONDS
    while fresh.models.is_checking and time.monotonic() < until:
        time.sleep(0.1)
    page = markup(looked_at(app.run()))
    assert said in page
    assert KEY not in page
    assert len(server.requests) <= 3


def test_a_role_of_its_own_takes_the_rest_from_the_default(
    fresh: Workspace, visit: Visit, server: ScriptedServer
) -> None:
    app = set_model(visit(fresh, "settings"), server)
    app.text_input(key="model_name_structure").input("small")
    looked_at(app.button(key="save_structure").click().run())
    settings = fresh.models.settings
    assert settings.choice("structure").model == "small"
    assert settings.choice("structure").base_url == server.url
    assert settings.choice("reduce").model == "reader"


def test_an_impossible_value_is_refused_with_a_reason(
    fresh: Workspace, visit: Visit, server: ScriptedServer
) -> None:
    app = set_model(visit(fresh, "settings"), server)
    app.number_input(key="model_max_tokens_default").set_value(3)
    app = looked_at(app.button(key="save_default").click().run())
    assert "max_tokens" in markup(app)
    assert fresh.models.saved.default.max_tokens > 3


def test_storage_shows_corpora_and_empties_the_trash(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Kept")
    fresh.create("Gone")
    fresh.trash("gone")
    app = visit(fresh, "settings")
    app.session_state["settings_tabs"] = "Storage"
    app.run()
    assert "in the trash" in markup(app)
    app = looked_at(app.button(key="empty_trash").click().run())
    looked_at(app.button(key="go_empty").click().run())
    assert fresh.trashed() == ()
    assert fresh.names() == ("kept",)


def test_the_build_panel_keeps_choices_and_shows_what_it_will_take(
    fresh: Workspace, visit: Visit, server: ScriptedServer
) -> None:
    set_model(visit(fresh, "settings"), server)
    corpus = fresh.create("Larkmere Bridge")
    fill(corpus)
    app = visit(fresh, "documents", corpus=corpus.name)
    app.radio(key="build_backend").set_value("llm")
    app = looked_at(app.run())
    app.multiselect(key="build_hierarchies").set_value(["leiden", "rkh"])
    app = looked_at(app.run())
    assert corpus.settings.backend == "llm"
    assert corpus.settings.hierarchy.algorithms == ("leiden", "rkh")
    estimate = corpus.estimate_build()
    assert isinstance(estimate, Estimate)
    assert estimate.calls[1] > 5
    assert "Prompt tokens" in markup(app)
    looked_at(app.button(key="go_build").click().run())
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    page = markup(visit(fresh, "documents", corpus=corpus.name))
    assert "From the cache" in page


def test_what_failed_can_be_tried_again(
    fresh: Workspace, visit: Visit, server: ScriptedServer
) -> None:
    set_model(visit(fresh, "settings"), server)
    corpus = fresh.create("Larkmere Bridge")
    fill(corpus)
    corpus.change_settings(corpus.settings.model_copy(update={"backend": "llm"}))

    def garble(body: dict[str, object]) -> object:
        return "Certainly!" if "hostile" in str(body).lower() else read(body)

    server.script = garble
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert [one for one in job.skipped if one.retriable]
    app = visit(fresh, "documents", corpus=corpus.name)
    assert "retry_failed" in keys(app)
    server.script = read
    looked_at(app.button(key="retry_failed").click().run())
    again = corpus.wait_for_build(SECONDS)
    assert again is not None
    assert not [one for one in again.skipped if one.retriable]


def test_defaults_are_kept_and_new_corpora_and_questions_start_with_them(
    fresh: Workspace, visit: Visit
) -> None:
    app = visit(fresh, "settings")
    app.session_state["settings_tabs"] = "Defaults"
    app = looked_at(app.run())
    app.number_input(key="defaults_size").set_value(300)
    app.number_input(key="defaults_overlap").set_value(200)
    app.text_input(key="defaults_kinds").input("ship, Port ,ship")
    app.selectbox(key="defaults_method").set_value("retag")
    app = app.button(key="save_defaults").click().run()
    assert "at most 150" in markup(app)  # an overlap of more than half is refused
    assert fresh.defaults == Defaults()
    app.number_input(key="defaults_overlap").set_value(30)
    looked_at(app.button(key="save_defaults").click().run())
    kept = fresh.defaults
    assert (kept.corpus.chunking.size, kept.corpus.chunking.overlap) == (300, 30)
    assert kept.corpus.language.entity_kinds == ("ship", "port")
    assert kept.method == "retag"
    assert fresh.create("new").settings == kept.corpus
    assert fresh.add_sample().settings == Settings()


def test_a_damaged_file_of_defaults_says_so_and_is_saved_anew(
    fresh: Workspace, visit: Visit
) -> None:
    fresh.home.mkdir(parents=True, exist_ok=True)
    (fresh.home / "defaults.json").write_text('{"level": -3}', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"level.*Settings"):
        fresh.create("new")
    app = visit(fresh, "settings")
    app.session_state["settings_tabs"] = "Defaults"
    app = app.run()
    assert "cannot be used" in markup(app)
    looked_at(app.button(key="save_defaults").click().run())
    assert fresh.create("new").settings == Settings()

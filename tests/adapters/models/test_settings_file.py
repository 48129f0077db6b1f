"""Where the settings of models come from, and where their keys go."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest

from sensemaking.adapters.models.settings_file import (
    FILE,
    load_model_settings,
    load_saved_settings,
    save_model_settings,
    set_elsewhere,
)
from sensemaking.config import ROLES, ModelSettings
from sensemaking.errors import ConfigError

SECRET = "sk-secret-42"


def write(home: Path, text: str) -> None:
    home.mkdir(exist_ok=True)
    (home / FILE).write_text(text, encoding="utf-8")


def key(settings: ModelSettings, role: str) -> str:
    return settings.choice(role).api_key.get_secret_value()


def test_nothing_is_set_and_nothing_is_configured(tmp_path: Path) -> None:
    settings = load_model_settings(tmp_path / "none", environment={})
    assert settings == ModelSettings()
    assert not settings.is_configured


def test_later_sources_win_for_what_they_set(tmp_path: Path) -> None:
    write(tmp_path, '[default]\nmodel = "file"\nmax_tokens = 100\nseed = 1\n')
    secrets = {"default": {"model": "secrets", "seed": 2}}
    environment = {"SENSEMAKING_MODEL": "environment", "SENSEMAKING_BUDGET": "2.5"}
    settings = load_model_settings(tmp_path, secrets, environment)
    assert settings.default.model == "environment"
    assert settings.default.seed == 2
    assert settings.default.max_tokens == 100
    assert settings.budget == 2.5
    assert set_elsewhere(secrets, environment) == {
        "budget": "the environment",
        "default.model": "the environment",
        "default.seed": "the secrets of the app",
    }


def test_roles_and_vectors_have_variables_of_their_own(tmp_path: Path) -> None:
    environment = {
        "SENSEMAKING_MODEL": "small",
        "SENSEMAKING_REDUCE_MODEL": "anthropic:large",
        "SENSEMAKING_JUDGE_TEMPERATURE": "none",
        "SENSEMAKING_JUDGE_CONCURRENCY": "3",
        "SENSEMAKING_EMBEDDINGS_MODEL": "vectors",
        "SENSEMAKING_EMBEDDINGS_DIMENSION": "768",
    }
    settings = load_model_settings(tmp_path, environment=environment)
    assert settings.choice("map").model == "small"
    assert (settings.choice("reduce").provider, settings.choice("reduce").model) == (
        "anthropic",
        "large",
    )
    assert settings.choice("judge").temperature is None
    assert settings.choice("judge").concurrency == 3
    assert settings.embeddings is not None
    assert settings.embeddings.dimension == 768


def test_a_colon_may_belong_to_the_model(tmp_path: Path) -> None:
    settings = load_model_settings(tmp_path, environment={"SENSEMAKING_MODEL": "qwen2.5:7b"})
    assert (settings.default.provider, settings.default.model) == ("openai", "qwen2.5:7b")


def test_what_is_saved_comes_back_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    given = ModelSettings.model_validate(
        {
            "default": {
                "model": 'a "quoted" \\ model\n東京\x7f😀',
                "api_key": SECRET,
                "temperature": None,
                "read_seconds": 7.5,
            },
            "roles": {"judge": {"model": "j", "api_key": SECRET, "temperature": None}},
            "embeddings": {"model": "e", "dimension": 3, "api_key": SECRET},
            "prices": {"gpt 4.1/x": {"prompt": 0.1, "completion": 2}},
            "budget": 1.5,
        }
    )
    write(tmp_path, "")
    (tmp_path / FILE).chmod(0o644)
    path = save_model_settings(given, tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_saved_settings(tmp_path) == given
    assert load_model_settings(tmp_path, environment={}).choice("judge") == given.choice("judge")
    assert [one.name for one in tmp_path.iterdir()] == [FILE]
    save_model_settings(ModelSettings(), tmp_path)
    assert tomllib.loads(path.read_text()) == {}


def test_what_is_impossible_is_named_without_its_value(tmp_path: Path) -> None:
    for text, said in (
        (f'[default]\napikey = "{SECRET}"', "default.apikey: Extra inputs"),
        (f'[default]\nmax_tokens = "{SECRET}"', "default.max_tokens: .*integer"),
        (f'[roles.judge]\nseed = "{SECRET}"', "seed: .*integer"),
        (f'[roles.poet]\nmodel = "{SECRET}"', "roles.poet"),
        (f"[default]\napi_key = [1, '{SECRET}']", "default.api_key"),
    ):
        write(tmp_path, text)
        with pytest.raises(ConfigError, match=said) as raised:
            load_model_settings(tmp_path, environment={})
        assert str(tmp_path / FILE) in str(raised.value)
        assert SECRET not in repr(raised.getrepr(style="long"))
    write(tmp_path, "no toml")
    with pytest.raises(ConfigError, match="is not TOML"):
        load_model_settings(tmp_path, environment={})
    write(tmp_path, "")
    with pytest.raises(ConfigError, match="in the environment cannot be used: default.retries"):
        load_model_settings(tmp_path, environment={"SENSEMAKING_RETRIES": "many"})


def test_keys_are_masked_wherever_they_are(tmp_path: Path) -> None:
    write(tmp_path, f'[default]\napi_key = "{SECRET}"\n[roles.judge]\napi_key = "{SECRET}"\n')
    settings = load_model_settings(tmp_path, environment={})
    assert key(settings, "judge") == SECRET
    for shown in (repr(settings), str(settings), settings.model_dump_json(), f"{settings.roles}"):
        assert SECRET not in shown


def test_a_key_goes_only_where_it_was_given_for(tmp_path: Path) -> None:
    write(
        tmp_path,
        f'[default]\nmodel = "m"\napi_key = "{SECRET}"\n'
        '[roles.judge]\nbase_url = "http://127.0.0.1:1/v1"\n'
        '[roles.reduce]\nprovider = "anthropic"\n[roles.map]\nmodel = "other"\n',
    )
    settings = load_model_settings(tmp_path, environment={})
    assert {role: key(settings, role) for role in ROLES} == {
        "structure": SECRET,
        "reports": SECRET,
        "map": SECRET,
        "reduce": "",
        "judge": "",
    }
    moved = load_model_settings(
        tmp_path, environment={"SENSEMAKING_BASE_URL": "http://127.0.0.1:2/v1"}
    )
    assert key(moved, "structure") == ""
    same = load_model_settings(tmp_path, environment={"SENSEMAKING_MODEL": "openai:gpt-4o"})
    assert key(same, "structure") == SECRET


def test_the_variables_of_openai_are_the_last_resort(tmp_path: Path) -> None:
    environment = {"SENSEMAKING_MODEL": "m", "OPENAI_API_KEY": SECRET}
    assert key(load_model_settings(tmp_path, environment=environment), "map") == SECRET
    elsewhere = {**environment, "SENSEMAKING_BASE_URL": "http://127.0.0.1:2/v1"}
    assert key(load_model_settings(tmp_path, environment=elsewhere), "map") == ""
    other = {**environment, "OPENAI_BASE_URL": "http://127.0.0.1:3/v1"}
    settings = load_model_settings(tmp_path, environment=other)
    assert settings.default.base_url == "http://127.0.0.1:3/v1"
    assert key(settings, "map") == SECRET
    own = {**environment, "SENSEMAKING_API_KEY": "own"}
    assert key(load_model_settings(tmp_path, environment=own), "map") == "own"

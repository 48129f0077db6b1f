"""Which models are used: from defaults, a settings file, secrets of the app, the environment.

Later sources win, each for what it sets. The file is `models.toml` in the program's home folder; it
may hold keys, so only its owner may read it. Secrets have the same shape as the file. In the
environment: SENSEMAKING_MODEL, _PROVIDER, _BASE_URL, _API_KEY and so on for all roles,
SENSEMAKING_REDUCE_MODEL and so on for one, SENSEMAKING_EMBEDDINGS_MODEL and so on for vectors,
SENSEMAKING_BUDGET in US dollars. Where nothing else is said, OPENAI_BASE_URL and OPENAI_API_KEY
hold, the key for that endpoint alone.
"""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr, ValidationError

from sensemaking.adapters.models.clients import OPENAI_URL
from sensemaking.config import ROLES, ModelSettings
from sensemaking.errors import ConfigError, StoreError

FILE = "models.toml"
PREFIX = "SENSEMAKING_"
FIELDS = (
    *("model", "provider", "base_url", "api_key", "api_version", "temperature", "seed"),
    *("max_tokens", "context_tokens", "json_mode", "concurrency", "connect_seconds"),
    *("read_seconds", "retries"),
)
EMBEDDING_FIELDS = ("model", "base_url", "api_key", "dimension", "max_tokens", "concurrency")
NONE = "none"
"""How the file and the environment say that a value is not sent at all (temperature, seed)."""
PROVIDERS = frozenset(
    {
        *("openai", "azure", "anthropic", "bedrock", "bedrock_converse", "cohere", "deepseek"),
        *("fireworks", "google_genai", "google_vertexai", "groq", "huggingface", "ibm", "litellm"),
        *("mistralai", "nvidia", "ollama", "openrouter", "perplexity", "together", "upstage"),
        *("xai",),
    }
)
"""Names before a colon that are providers; other colons belong to the model ("qwen2.5:7b")."""

Layer = dict[str, Any]


def load_model_settings(
    home: Path,
    secrets: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> ModelSettings:
    """Return the settings that hold now.

    `secrets` is the section `models` of the app's secrets; `environment` is the process's own
    unless given.

    Raises
    ------
    ConfigError
        When a source says something impossible; names the source, never the value.
    """
    environment = os.environ if environment is None else environment
    merged: Layer = {}
    for name, layer in (
        (str(home / FILE), _read_file(home / FILE)),
        ("the secrets of the app", _plain(secrets or {})),
        ("the environment", _from_environment(environment)),
    ):
        merged = _merge(merged, layer)
        _checked(merged, name)
    return _checked(_with_fallback(merged, environment), "the environment")


def load_saved_settings(home: Path) -> ModelSettings:
    """Return what the file alone says: what a settings page edits and saves."""
    return _checked(_read_file(home / FILE), str(home / FILE))


def set_elsewhere(
    secrets: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return which values the file cannot change, and who sets them.

    Keys are like "default.model", "roles.reduce.api_key", "budget".
    """
    environment = os.environ if environment is None else environment
    found = dict.fromkeys(_paths(_plain(secrets or {})), "the secrets of the app")
    found.update(dict.fromkeys(_paths(_from_environment(environment)), "the environment"))
    return dict(sorted(found.items()))


def save_model_settings(settings: ModelSettings, home: Path) -> Path:
    """Write the settings file, readable by its owner alone; returns its path.

    Raises
    ------
    StoreError
        When the file cannot be written.
    """
    path = home / FILE
    try:
        home.mkdir(parents=True, exist_ok=True)
        # Made anew with these rights: a file that others may read is never filled with keys.
        handle, unfinished = tempfile.mkstemp(prefix=f".{FILE}.", dir=home)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(_toml(_dump(settings)))
                file.flush()
                os.fsync(file.fileno())
            os.chmod(unfinished, 0o600)
            os.replace(unfinished, path)
        except BaseException:
            Path(unfinished).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written ({error.strerror}): make the folder writable."
        ) from error
    return path


def _read_file(path: Path) -> Layer:
    try:
        return _plain(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}): make it readable, or remove it."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path} is not TOML ({error}): mend it, or remove it and choose the models again."
        ) from error


def _from_environment(environment: Mapping[str, str]) -> Layer:
    layer: Layer = {}
    places: list[tuple[str, str, tuple[str, ...]]] = [("default", PREFIX, FIELDS)]
    places += [(f"roles.{role}", f"{PREFIX}{role.upper()}_", FIELDS) for role in ROLES]
    places += [("embeddings", f"{PREFIX}EMBEDDINGS_", EMBEDDING_FIELDS)]
    for place, prefix, fields in places:
        found = {one: environment.get(prefix + one.upper(), "") for one in fields}
        values: Layer = {one: value for one, value in found.items() if value}
        if values:
            _put(layer, place, values)
    if budget := environment.get(f"{PREFIX}BUDGET"):
        layer["budget"] = budget
    return _plain(layer)


def _put(layer: Layer, place: str, values: Layer) -> None:
    *above, last = place.split(".")
    for name in above:
        layer = layer.setdefault(name, {})
    layer[last] = values


def _plain(layer: Mapping[str, Any]) -> Layer:
    """Return a layer as plain dictionaries, with providers cut off model names."""
    plain: Layer = {}
    for name, value in layer.items():
        if isinstance(value, Mapping):
            plain[name] = _plain(value)
        elif isinstance(value, str) and value.lower() == NONE and name in ("temperature", "seed"):
            plain[name] = None
        else:
            plain[name] = value
    model = plain.get("model")
    if isinstance(model, str) and "provider" not in plain and "dimension" not in plain:
        provider, colon, rest = model.partition(":")
        if colon and rest and provider in PROVIDERS:
            plain |= {"provider": provider, "model": rest}
    return plain


def _merge(below: Layer, above: Layer) -> Layer:
    """Return both, `above` winning; a key does not follow a model to another endpoint."""
    merged = dict(below)
    for name, value in above.items():
        under = merged.get(name)
        if isinstance(value, dict) and isinstance(under, dict):
            moved = any(
                one in value and value[one] != under.get(one, usual)
                for one, usual in (("base_url", ""), ("provider", "openai"))
            )
            kept = {k: v for k, v in under.items() if not (moved and k == "api_key")}
            merged[name] = _merge(kept, value)
        else:
            merged[name] = value
    return merged


def _with_fallback(layer: Layer, environment: Mapping[str, str]) -> Layer:
    """Return a layer with what OpenAI's own variables say, where nothing else is said."""
    base_url = environment.get("OPENAI_BASE_URL", "")
    default = dict(layer.get("default", {}))
    is_openai = default.get("provider", "openai") == "openai"
    if is_openai and base_url and not default.get("base_url"):
        default["base_url"] = base_url
    filled = {**layer, "default": default}
    key = environment.get("OPENAI_API_KEY", "")
    if not key:
        return filled
    roles = {role: dict(own) for role, own in layer.get("roles", {}).items()}
    places = [default, *roles.values()]
    if "embeddings" in layer:
        filled["embeddings"] = dict(layer["embeddings"])
        places.append(filled["embeddings"])
    for place in places:
        # A role that says nothing about where its model is has the key of the default.
        is_own = place not in roles.values() or "base_url" in place or "provider" in place
        if not is_own or place.get("api_key") or place.get("provider", "openai") != "openai":
            continue
        # Never to a server that somebody else runs.
        if (place.get("base_url") or OPENAI_URL).rstrip("/") in (OPENAI_URL, base_url.rstrip("/")):
            place["api_key"] = key
    return {**filled, "roles": roles}


def _checked(layer: Layer, source: str) -> ModelSettings:
    try:
        settings = ModelSettings.model_validate(layer)
        for role in ROLES:
            settings.choice(role)
    except ValidationError as error:
        # Only place and message: the value may be a key.
        wrong = "; ".join(
            f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}"
            for one in error.errors(include_input=False, include_url=False, include_context=False)
        )
        raise ConfigError(f"The model settings in {source} cannot be used: {wrong}.") from None
    return settings


def _paths(layer: Layer, above: str = "") -> list[str]:
    found = []
    for name, value in layer.items():
        path = f"{above}{name}"
        found += _paths(value, f"{path}.") if isinstance(value, dict) else [path]
    return found


def _dump(settings: ModelSettings) -> Layer:
    return settings.model_dump(exclude_defaults=True)


def _toml(layer: Layer) -> str:
    """Return the text of a TOML file: plain values first, then a table for each dictionary."""
    return "# Which language models are used. May hold keys: keep it to yourself.\n" + "".join(
        _tables(layer, "")
    )


def _tables(layer: Layer, name: str) -> list[str]:
    plain = {one: value for one, value in layer.items() if not isinstance(value, dict)}
    lines = [f"\n[{name}]\n"] if name and plain else []
    lines += [f"{_quoted(one)} = {_value(value)}\n" for one, value in plain.items()]
    for one, value in layer.items():
        if isinstance(value, dict):
            lines += _tables(value, f"{name}.{_quoted(one)}" if name else _quoted(one))
    return lines


def _value(value: object) -> str:
    if isinstance(value, SecretStr):
        return _quoted_text(value.get_secret_value())
    if value is None:
        return _quoted_text(NONE)
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, int | float) else _quoted_text(str(value))


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() and name.isascii() else _quoted_text(name)


def _quoted_text(text: str) -> str:
    # A JSON string is a TOML string, but for one character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

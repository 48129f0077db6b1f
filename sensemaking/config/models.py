"""Which language model does what: a choice per role, prices, a budget.

Keys live here and nowhere else: a `SecretStr` prints as stars, and no corpus stores these settings.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field, SecretStr, field_validator

from sensemaking.config.record import Record

Role = Literal["structure", "reports", "map", "reduce", "judge"]
ROLES: tuple[Role, ...] = ("structure", "reports", "map", "reduce", "judge")
_WHERE = ("provider", "base_url")
JsonMode = Literal["auto", "json_schema", "json_object", "text"]


class _KeyRecord(Record):
    """A record that may hold a key: what it refuses is not repeated in the error."""

    model_config = ConfigDict(hide_input_in_errors=True)


class ModelChoice(_KeyRecord):
    """A model behind an endpoint, and how it is called.

    `provider` "openai" is OpenAI and every server that speaks its protocol (set `base_url`),
    "azure" is Azure OpenAI (`base_url` is the resource, `model` the deployment); any other name is
    a LangChain provider that is installed ("anthropic", "mistralai"). `max_tokens` bounds a reply,
    `context_tokens` is prompt and reply together, 0 when the server is to be asked. `concurrency`
    is how many calls may be under way at one endpoint.
    """

    provider: str = "openai"
    model: str = ""
    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    api_version: str = ""
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    seed: int | None = None
    max_tokens: int = Field(default=4096, ge=64)
    context_tokens: int = Field(default=0, ge=0)
    json_mode: JsonMode = "auto"
    concurrency: int = Field(default=16, ge=1, le=512)
    connect_seconds: float = Field(default=10.0, gt=0)
    read_seconds: float = Field(default=180.0, gt=0)
    retries: int = Field(default=5, ge=0, le=20)


class EmbeddingChoice(_KeyRecord):
    """An embedding model behind an OpenAI-compatible endpoint; `dimension` as the model says."""

    model: str
    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    dimension: int = Field(ge=1)
    max_tokens: int = Field(default=8191, ge=16)
    concurrency: int = Field(default=16, ge=1, le=512)


class Price(Record):
    """US dollars per million tokens."""

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class ModelSettings(_KeyRecord):
    """Models for all roles. A role takes what it does not set itself from `default`.

    `budget` in US dollars pauses a run before it is crossed; None is no cap.
    """

    default: ModelChoice = ModelChoice()
    roles: dict[Role, dict[str, Any]] = Field(default_factory=dict)
    embeddings: EmbeddingChoice | None = None
    prices: dict[str, Price] = Field(default_factory=dict)
    budget: float | None = Field(default=None, ge=0)

    @field_validator("roles")
    @classmethod
    def _hide_keys(cls, roles: dict[Role, dict[str, Any]]) -> dict[Role, dict[str, Any]]:
        return {
            role: {
                name: SecretStr(value) if name == "api_key" and isinstance(value, str) else value
                for name, value in own.items()
            }
            for role, own in roles.items()
        }

    def choice(self, role: Role) -> ModelChoice:
        """Return the model of a role; the default's key is not sent to another endpoint.

        Raises
        ------
        pydantic.ValidationError
            When the role sets something impossible.
        """
        own = self.roles.get(role, {})
        inherited = self.default.model_dump()
        if any(own.get(name, inherited[name]) != inherited[name] for name in _WHERE):
            inherited["api_key"] = SecretStr("")
        return ModelChoice.model_validate({**inherited, **own})

    @property
    def is_configured(self) -> bool:
        """Whether every role has a model."""
        return all(self.choice(role).model for role in ROLES)

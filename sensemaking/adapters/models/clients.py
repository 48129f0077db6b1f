"""LangChain chat models, made once and called without callbacks or tracing.

"openai" is `ChatOpenAI` (OpenAI, and every server that speaks its protocol), "azure" is
`AzureChatOpenAI`, everything else is what `init_chat_model` finds installed. The client library
makes no retries of its own: `calling` does.

Notes
-----
A new client costs 50 ms of CPU and more, hence one per choice. Whole replies of OpenAI's protocol
are fetched by `completions`, at a third of what `invoke` costs. The JSON mode of streams goes into
`extra_body`: as an argument it would make the client parse the reply again (0.9 ms), and raise when
it was cut.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr

from sensemaking.adapters.loading import load
from sensemaking.adapters.models.abilities import Options
from sensemaking.adapters.models.completions import complete
from sensemaking.adapters.models.connections import Connections
from sensemaking.adapters.models.said import Finish, Said, finish_of
from sensemaking.adapters.models.schemas import response_format
from sensemaking.adapters.models.thinking import ThoughtFilter
from sensemaking.adapters.models.translating import CallFailed, translating
from sensemaking.config import ModelChoice
from sensemaking.errors import ConfigError
from sensemaking.ports import Message

OPENAI_URL = "https://api.openai.com/v1"
_ADVICE_ON_SCHEMAS = "(Invalid schema for|This model does not support) OpenAI's structured output"
_LONGEST_TOKEN = 16
"""Characters per token beyond which a streamed reply is surely over its limit."""
_TAKES_RESPONSE_FORMAT = frozenset(
    {"deepseek", "fireworks", "groq", "mistralai", "openrouter", "together", "xai"}
)
_LIMIT_NAMES = {
    "google_genai": "max_output_tokens",
    "google_vertexai": "max_output_tokens",
    "ollama": "num_predict",
}


class Client:
    """One model behind one endpoint; any thread may call it. `connections` carries its calls."""

    def __init__(self, choice: ModelChoice, connections: Connections) -> None:
        self._choice = choice
        self._connections = connections
        self._making = threading.Lock()
        self._made: dict[int, Any] = {}

    @property
    def is_openai_family(self) -> bool:
        """Return whether the client of OpenAI makes the calls."""
        return self._choice.provider in ("openai", "azure")

    def prepare(self, options: Options) -> None:
        """Load and make what a call needs: the first time takes seconds that are not the server's.

        Raises
        ------
        ConfigError
            When the package of the provider is not installed.
        """
        self._model(options.max_tokens)

    def call(
        self,
        messages: Sequence[Message],
        options: Options,
        on_piece: Callable[[str], None] | None = None,
    ) -> Said:
        """Make one attempt; with `on_piece` the reply is streamed to it.

        Raises
        ------
        ConfigError
            When the package of the provider is not installed.
        CallFailed
            When the attempt fails.
        """
        model = self._model(options.max_tokens)
        with translating(self._choice.api_key.get_secret_value()):
            if on_piece is None and self.is_openai_family:
                name, fields = self._choice.model, self._fields(options)
                return complete(model.root_client, name, messages, fields, options.seconds)
            from langsmith import tracing_context

            arguments = self._arguments(options)

            given = [(message.role, message.text) for message in messages]
            # Documents go to the endpoint that was chosen, whatever the environment says.
            with tracing_context(enabled=False):
                if on_piece is None:
                    return _said(model.invoke(given, **arguments))
                if self.is_openai_family:
                    arguments["stream_usage"] = options.has_stream_usage
                limit = options.max_tokens * _LONGEST_TOKEN
                chunks = model.stream(given, **arguments)
                return _streamed(chunks, on_piece, limit, must_finish=self.is_openai_family)

    def models(self, seconds: float) -> list[dict[str, Any]]:
        """Return what the endpoint says about its models; empty where there is no such list."""
        if not self.is_openai_family:
            return []
        model = self._model(self._choice.max_tokens)
        with translating(self._choice.api_key.get_secret_value()):
            listed = model.root_client.with_options(timeout=seconds).models.list()
            return [one.model_dump() for one in listed.data]

    def _model(self, max_tokens: int) -> Any:  # noqa: ANN401 - LangChain is loaded late
        # Other providers take the limit when they are made, each under a name of its own.
        made_for = 0 if self.is_openai_family else max_tokens
        with self._making:
            if made_for not in self._made:
                self._made[made_for] = self._make(max_tokens)
            return self._made[made_for]

    def _make(self, max_tokens: int) -> Any:  # noqa: ANN401
        # A mode that is refused is found out and gone round; the library advises other methods.
        warnings.filterwarnings("ignore", message=_ADVICE_ON_SCHEMAS, category=UserWarning)
        if self._choice.provider == "openai":
            return _make_openai(self._choice, self._connections)
        if self._choice.provider == "azure":
            return _make_azure(self._choice, self._connections)
        return _make_other(self._choice, max_tokens)

    def _arguments(self, options: Options) -> dict[str, Any]:
        if not self.is_openai_family:
            return _other_arguments(self._choice.provider, options)
        fields = self._fields(options)
        known = ("temperature", "seed")
        arguments: dict[str, Any] = {one: fields.pop(one) for one in known if one in fields}
        if options.seconds is not None:
            arguments["timeout"] = options.seconds
        return {"extra_body": fields, **arguments}

    def _fields(self, options: Options) -> dict[str, Any]:
        """Return what a request holds beside model and messages."""
        choice = self._choice
        fields: dict[str, Any] = {options.limit_name: options.max_tokens}
        if options.mode == "json_schema" and options.schema is not None:
            fields["response_format"] = response_format(options.schema)
        elif options.mode == "json_object":
            fields["response_format"] = {"type": "json_object"}
        if choice.temperature is not None and options.has_temperature:
            fields["temperature"] = choice.temperature
        if choice.seed is not None and options.has_seed:
            fields["seed"] = choice.seed
        return fields


def endpoint_address(choice: ModelChoice) -> str:
    """Return where a model is, without name and password that the URL may hold."""
    if not choice.base_url:
        return OPENAI_URL if choice.provider == "openai" else choice.provider
    parts = urlsplit(choice.base_url)
    plain = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    return plain.rstrip("/")


def is_hosted(choice: ModelChoice) -> bool:
    """Return whether the maker of the model runs the endpoint, at the maker's prices."""
    host = urlsplit(choice.base_url).hostname or ""
    return not host or host.endswith((".openai.com", ".openai.azure.com", ".anthropic.com"))


def _make_openai(choice: ModelChoice, connections: Connections) -> Any:  # noqa: ANN401
    load("openai", "langchain_openai")
    import openai
    from langchain_openai import ChatOpenAI

    with translating_set_up(choice):
        return ChatOpenAI(
            model=choice.model,
            base_url=choice.base_url or OPENAI_URL,
            # Never left out: the library would take the key of another endpoint from the
            # environment.
            api_key=SecretStr(choice.api_key.get_secret_value() or "none"),
            timeout=openai.Timeout(choice.read_seconds, connect=choice.connect_seconds),
            max_retries=0,
            http_client=connections.client(),
            use_responses_api=False,
        )


def _make_azure(choice: ModelChoice, connections: Connections) -> Any:  # noqa: ANN401
    load("openai", "langchain_openai")
    import openai
    from langchain_openai import AzureChatOpenAI

    with translating_set_up(choice):
        return AzureChatOpenAI(
            azure_endpoint=choice.base_url,
            azure_deployment=choice.model,
            api_version=choice.api_version or "2024-10-21",
            api_key=SecretStr(choice.api_key.get_secret_value() or "none"),
            timeout=openai.Timeout(choice.read_seconds, connect=choice.connect_seconds),
            max_retries=0,
            http_client=connections.client(),
            use_responses_api=False,
        )


def _make_other(choice: ModelChoice, max_tokens: int) -> Any:  # noqa: ANN401
    load("langchain.chat_models")
    from langchain.chat_models import init_chat_model

    limit = _LIMIT_NAMES.get(choice.provider, "max_tokens")
    arguments: dict[str, Any] = {limit: max_tokens}
    if choice.provider != "ollama":
        arguments |= {"timeout": choice.read_seconds, "max_retries": 0}
    if choice.temperature is not None:
        arguments["temperature"] = choice.temperature
    if choice.api_key.get_secret_value():
        arguments["api_key"] = choice.api_key.get_secret_value()
    if choice.base_url:
        arguments["base_url"] = choice.base_url
    with translating_set_up(choice):
        return init_chat_model(choice.model, model_provider=choice.provider, **arguments)


class translating_set_up(translating):
    """Turn what goes wrong when a client is made into `ConfigError`: nothing was called yet."""

    def __init__(self, choice: ModelChoice) -> None:
        super().__init__(choice.api_key.get_secret_value())
        self._choice = choice

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:  # noqa: ANN401
        name = self._choice.provider
        if isinstance(error, ImportError):
            raise ConfigError(
                f"The provider “{name}” needs a package that is not installed: {error}"
            ) from error
        try:
            super().__exit__(kind, error, trace)
        except CallFailed as failure:
            raise ConfigError(
                f"The model {name}:{self._choice.model} cannot be set up: {failure.detail} Check "
                "provider, base URL and key in Settings."
            ) from None


def _other_arguments(provider: str, options: Options) -> dict[str, Any]:
    schema = options.schema
    if schema is None or options.mode == "text":
        return {}
    if provider == "ollama":
        return {"format": dict(schema) if options.mode == "json_schema" else "json"}
    if provider not in _TAKES_RESPONSE_FORMAT:
        return {}
    if options.mode == "json_schema":
        return {"response_format": response_format(schema)}
    return {"response_format": {"type": "json_object"}}


def _said(message: Any) -> Said:  # noqa: ANN401 - an AIMessage
    return _make_said([str(message.text)], None, message, message)


def _streamed(
    chunks: Iterable[Any], on_piece: Callable[[str], None], limit: int, *, must_finish: bool
) -> Said:
    pieces: list[str] = []
    length = 0
    thoughts = ThoughtFilter()
    finished: Any = None
    counted: Any = None
    for chunk in chunks:
        piece = str(chunk.text)
        if piece:
            pieces.append(piece)
            length += len(piece)
            if shown := thoughts.feed(piece):
                on_piece(shown)
        if _finish_reason(chunk):
            finished = chunk
        if getattr(chunk, "usage_metadata", None):
            counted = chunk
        if length > limit:
            # A model that loops behind a server that knows no limit.
            return _make_said(pieces, "length", finished, None)
    if shown := thoughts.end():
        on_piece(shown)
    if finished is None and (must_finish or not pieces):
        raise CallFailed("cut", "the stream ended before the reply did")
    return _make_said(pieces, None, finished, counted)


def _make_said(
    pieces: Sequence[str],
    finish: Literal["length"] | None,
    finished: Any,  # noqa: ANN401
    counted: Any,  # noqa: ANN401
) -> Said:
    thoughts = ThoughtFilter()
    text = thoughts.feed("".join(pieces)) + thoughts.end()
    more = getattr(finished, "additional_kwargs", None) or {}
    if refusal := more.get("refusal"):
        return Said(text or str(refusal), "filter", *_tokens(counted), thoughts.thoughts)
    reason: Finish = finish_of(_finish_reason(finished))
    return Said(text, finish or reason, *_tokens(counted), thoughts.thoughts)


def _finish_reason(message: Any) -> str:  # noqa: ANN401
    known = getattr(message, "response_metadata", None) or {}
    for name in ("finish_reason", "stop_reason", "done_reason"):
        if known.get(name):
            return str(known[name])
    return ""


def _tokens(message: Any) -> tuple[int | None, int | None, int]:  # noqa: ANN401
    usage = getattr(message, "usage_metadata", None) or {}
    prompt, said = usage.get("input_tokens") or 0, usage.get("output_tokens") or 0
    if not prompt and not said:
        return None, None, 0
    reasoning = (usage.get("output_token_details") or {}).get("reasoning") or 0
    return prompt, max(0, said - reasoning), reasoning

"""The language models of all roles, as the settings say."""

from __future__ import annotations

from sensemaking.adapters.models.calling import Caller
from sensemaking.adapters.models.chat import EndpointChatModel
from sensemaking.adapters.models.clients import is_hosted
from sensemaking.adapters.models.embedding import EndpointEmbedder
from sensemaking.adapters.models.endpoints import Endpoints
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.models.prices import PriceTable
from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.config import ROLES, ModelChoice, ModelSettings, Price, Role
from sensemaking.errors import ConfigError
from sensemaking.ports import ChatModel, ReplyCache

_SHARED = Endpoints()


def chat_models(
    settings: ModelSettings,
    cache: ReplyCache | None,
    meter: RunMeter,
    *,
    endpoints: Endpoints | None = None,
) -> dict[Role, ChatModel]:
    """Return the model of each role. Nothing is called and no client library loaded yet.

    `endpoints` is what the program knows of endpoints, one for the whole program by default.

    Raises
    ------
    ConfigError
        When a role has no model.
    """
    known = endpoints or _SHARED
    choices = {role: settings.choice(role) for role in ROLES}
    missing = [role for role in ROLES if not choices[role].model]
    if missing:
        raise ConfigError(
            f"No language model is chosen for {', '.join(missing)}: choose one in Settings or set "
            "SENSEMAKING_MODEL."
        )
    _widen_gates(list(choices.values()), known)
    tokenizer = BpeTokenizer()
    models: dict[Role, ChatModel] = {}
    for role, choice in choices.items():
        caller = Caller(choice, role, endpoints=known, meter=meter, tokenizer=tokenizer)
        models[role] = EndpointChatModel(caller, endpoints=known, cache=cache)
    return models


def run_meter(settings: ModelSettings, spent: float = 0.0) -> RunMeter:
    """Return a meter for one run, with the user's prices and budget; `spent` dollars before it."""
    return RunMeter(PriceTable(settings.prices), settings.budget, spent)


def prices_by_role(settings: ModelSettings) -> dict[Role, Price | None]:
    """Return what the tokens of each role cost; None where no price is known."""
    table = PriceTable(settings.prices)
    choices = {role: settings.choice(role) for role in ROLES}
    return {
        role: table.price(choice.model, is_hosted=is_hosted(choice))
        for role, choice in choices.items()
    }


def embedding_price(settings: ModelSettings) -> Price | None:
    """Return what the tokens of the embedding model cost; None where that is not known."""
    choice = settings.embeddings
    if choice is None:
        return None
    hosted = is_hosted(ModelChoice(model=choice.model, base_url=choice.base_url))
    return PriceTable(settings.prices).price(choice.model, is_hosted=hosted)


def endpoint_embedder(
    settings: ModelSettings, meter: RunMeter, *, endpoints: Endpoints | None = None
) -> EndpointEmbedder | None:
    """Return the embedder behind an endpoint, or None when the packaged one is to be used.

    Without a key of its own it has that of the default model, at the same endpoint only.
    """
    choice = settings.embeddings
    if choice is None:
        return None
    default = settings.default
    is_same = default.provider == "openai" and default.base_url == choice.base_url
    if is_same and not choice.api_key.get_secret_value():
        choice = choice.model_copy(update={"api_key": default.api_key})
    return EndpointEmbedder(choice, endpoints=endpoints or _SHARED, meter=meter)


def _widen_gates(choices: list[ModelChoice], known: Endpoints) -> None:
    """Give each endpoint the most calls at once that any of its models may have."""
    widest: dict[str, int] = {}
    for choice in choices:
        address = known.endpoint(choice).address
        widest[address] = max(widest.get(address, 0), choice.concurrency)
    for choice in choices:
        endpoint = known.endpoint(choice)
        endpoint.gate.set_maximum(widest[endpoint.address])

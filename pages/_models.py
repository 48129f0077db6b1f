"""The models of each role as forms, the check of their connection, prices and budget.

A key is never sent to the browser: a field says that there is one, and an empty field leaves it.
"""

from __future__ import annotations

from typing import Any, Literal

import pandas as pd
import streamlit as st
from pydantic import ValidationError

from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._words import count, duration, number
from sensemaking.config import ROLES, EmbeddingChoice, ModelChoice, ModelSettings, Price, Role
from sensemaking.errors import ConfigError
from sensemaking.workspace import ModelCheck

POLL_SECONDS = 0.5
DEFAULT: Literal["default"] = "default"
TOLD: dict[str, str] = {
    DEFAULT: "Does everything that no role below says otherwise.",
    "structure": "Entities, relationships, claims, topics, discourse: many calls, a small model.",
    "reports": "A report on each community.",
    "map": "Reads windows of reports for a question.",
    "reduce": "Writes the answer: the model that you trust most.",
    "judge": "Compares answers, splits them into claims.",
}


def draw_models() -> None:
    """Draw the default model, the roles, and the check."""
    found = session.workspace().models
    elsewhere = found.set_elsewhere
    saved = found.saved
    look.text(
        "Without a model, answers are put together from sentences of the documents. With one, the "
        "same buttons use it. Any OpenAI-compatible server will do: OpenAI, Azure, Ollama, vLLM, "
        "LM Studio, llama.cpp.",
        "s",
    )
    if elsewhere:
        look.text(
            "Some values are set by the environment or by secrets and cannot be changed here: "
            + ", ".join(elsewhere),
            "s",
        )
    _draw_form(DEFAULT, saved.default.model_dump(), saved.default, elsewhere)
    names = [role for role in ROLES if saved.roles.get(role)]
    label = f"A model of its own for a role{': ' + ', '.join(names) if names else ''}"
    with st.expander(label, key="roles"):
        role = st.segmented_control(
            "Role", ROLES, default=ROLES[0], key="models_role", required=True
        )
        if role:
            _draw_form(role, saved.roles.get(role, {}), saved.choice(role), elsewhere)
    _draw_check()


def draw_prices() -> None:
    """Draw the prices that the user knows better, and the cap."""
    found = session.workspace().models
    saved = found.saved
    look.text(
        "US dollars per million tokens. A model without a price is counted in tokens alone.", "s"
    )
    frame = pd.DataFrame(
        [
            {"Model": name, "Prompt": price.prompt, "Completion": price.completion}
            for name, price in saved.prices.items()
        ],
        columns=["Model", "Prompt", "Completion"],
    )
    edited = st.data_editor(
        frame,
        num_rows="dynamic",
        hide_index=True,
        key="prices",
        column_config={
            "Model": st.column_config.TextColumn(required=True, width=260),
            "Prompt": st.column_config.NumberColumn(min_value=0.0, format="$%.3f", required=True),
            "Completion": st.column_config.NumberColumn(
                min_value=0.0, format="$%.3f", required=True
            ),
        },
    )
    budget = st.number_input(
        "Cap of a build or an answer in US dollars; a run pauses before it is crossed",
        min_value=0.0,
        value=saved.budget,
        placeholder="no cap",
        format="%.2f",
        key="budget",
        width=420,
    )
    is_held = session.workspace().is_read_only
    if st.button("Save", type="primary", key="go_prices", disabled=is_held):
        rows = [row for row in edited.to_dict("records") if row["Model"]]
        prices = {
            str(row["Model"]): Price(
                prompt=row["Prompt"] or 0.0, completion=row["Completion"] or 0.0
            )
            for row in rows
        }
        _save(saved.model_copy(update={"prices": prices, "budget": budget}))


def _draw_form(
    role: Role | Literal["default"],
    own: dict[str, Any],
    effective: ModelChoice,
    elsewhere: dict[str, str],
) -> None:
    place = DEFAULT if role == DEFAULT else f"roles.{role}"
    shown = ModelChoice.model_validate(own) if role == DEFAULT else None

    def fixed(field: str) -> bool:
        return f"{place}.{field}" in elsewhere

    def value(field: str) -> Any:  # noqa: ANN401 - as the field
        return getattr(shown, field) if shown is not None else own.get(field)

    inherited = "" if role == DEFAULT else "as the default"
    with st.form(f"model_{role}", border=False):
        look.titled(role.capitalize(), TOLD[role])
        left, right = st.columns(2)
        with left:
            model = st.text_input(
                "Model",
                value("model") or "",
                placeholder=inherited or "gpt-4.1-mini, qwen2.5:7b",
                key=f"model_name_{role}",
                disabled=fixed("model"),
            )
            address = st.text_input(
                "Address",
                value("base_url") or "",
                placeholder=inherited or "https://api.openai.com/v1, http://localhost:11434/v1",
                key=f"model_address_{role}",
                disabled=fixed("base_url"),
            )
        with right:
            provider = st.text_input(
                "Provider",
                value("provider") or "",
                placeholder=inherited or "openai",
                help="openai for every compatible server, azure, or a LangChain provider that is "
                "installed (anthropic, mistralai, …)",
                key=f"model_provider_{role}",
                disabled=fixed("provider"),
            )
            has_key = bool(effective.api_key.get_secret_value())
            key = st.text_input(
                "Key",
                type="password",
                placeholder="kept; type to replace it" if has_key else "none",
                key=f"model_key_{role}",
                disabled=fixed("api_key"),
                autocomplete="off",
            )
        columns = st.columns(4)
        numbers: dict[str, Any] = {}
        for column, (field, label, step) in zip(
            columns,
            (
                ("temperature", "Temperature", 0.1),
                ("max_tokens", "Longest reply, tokens", 256),
                ("context_tokens", "Context, tokens", 1024),
                ("concurrency", "Calls at once", 1),
            ),
            strict=True,
        ):
            with column:
                numbers[field] = st.number_input(
                    label,
                    value=value(field),
                    step=step,
                    min_value=0.0 if isinstance(step, float) else 0,
                    placeholder=inherited or "not sent",
                    key=f"model_{field}_{role}",
                    disabled=fixed(field),
                    help="0: asked from the server" if field == "context_tokens" else None,
                )
        is_held = session.workspace().is_read_only
        if st.form_submit_button("Save", key=f"save_{role}", disabled=is_held):
            texts = {"model": model, "base_url": address, "provider": provider, "api_key": key}
            changed = session.act(_checked, role, texts, numbers)
            if changed is not None:
                _save(changed)
            st.rerun()


def _checked(
    role: Role | Literal["default"], texts: dict[str, str], numbers: dict[str, Any]
) -> ModelSettings:
    """Return the settings with one form's values; raises `ConfigError` with plain words."""
    try:
        return _changed(role, texts, numbers)
    except ValidationError as error:
        # Only place and message: the value may be a key.
        wrong = "; ".join(
            f"{one['loc'][-1]}: {one['msg']}"
            for one in error.errors(include_input=False, include_url=False, include_context=False)
        )
        raise ConfigError(f"Not saved. {wrong}.") from None


def _changed(
    role: Role | Literal["default"], texts: dict[str, str], numbers: dict[str, Any]
) -> ModelSettings:
    """Return the saved settings with one form's values; an empty key keeps the one there is.

    A key does not follow a model to another address.
    """
    saved = session.workspace().models.saved
    told: dict[str, Any] = {name: text.strip() for name, text in texts.items() if text.strip()}
    before = saved.default.model_dump() if role == DEFAULT else dict(saved.roles.get(role, {}))
    stays = all(told.get(name, "") == before.get(name, "") for name in ("base_url",))
    if "api_key" not in told and stays and before.get("api_key"):
        told["api_key"] = before["api_key"]
    if role == DEFAULT:
        gone = {"api_key", "model", "base_url", "provider"}
        kept = saved.default.model_dump(exclude=gone)
        default = ModelChoice.model_validate({**kept, **numbers, **told})
        return saved.model_copy(update={"default": default})
    own = told | {name: one for name, one in numbers.items() if one is not None}
    roles: dict[Any, dict[str, Any]] = {**saved.roles, role: own}
    if not own:
        del roles[role]
    return ModelSettings.model_validate({**saved.model_dump(), "roles": roles})


def _save(settings: ModelSettings) -> None:
    path = session.act(session.workspace().models.save, settings)
    if path is not None:
        st.toast("Saved", icon=":material/check:")
    st.rerun()


def _draw_check() -> None:
    found = session.workspace().models
    st.button(
        "Check connection",
        icon=":material/network_check:",
        key="check_models",
        disabled=found.is_checking,
        help="At most three small calls a model",
        on_click=found.start_check,
    )

    @st.fragment(run_every=POLL_SECONDS if found.is_checking else None)
    def follow() -> None:
        if found.is_checking:
            look.draw(f'<p class="sm-s">{look.sign("Asking the models", "run")}</p>')
            return
        if found.failure:
            look.failure(found.failure, "check_failure")
        for check in found.checks:
            _draw_checked(check)

    with st.container(key="model_checks"):
        follow()


def _draw_checked(check: ModelCheck) -> None:
    roles = ", ".join(check.roles)
    name = f"{check.model or 'no model'} for {roles}"
    if check.problem:
        look.failure(check.problem, f"check_{roles}", title=name)
        return
    facts = [f"JSON mode {check.json_mode}"] if check.json_mode else []
    if check.seconds is not None:
        facts.append(f"replies in {duration(check.seconds)}")
    if check.context_tokens:
        facts.append(f"reads {number(check.context_tokens)} tokens")
    facts.append(count(check.n_requests, "call"))
    notes = "".join(f'<p class="sm-s">{esc(note)}</p>' for note in check.notes)
    look.draw(
        f'<div>{look.sign(name, "ok")}<p class="sm-s">{esc(check.endpoint)}: '
        f"{esc(', '.join(facts))}</p>{notes}</div>"
    )


def embedding_label(choice: EmbeddingChoice | None) -> str:
    """Return what makes the vectors."""
    return choice.model if choice else "packaged MiniLM"

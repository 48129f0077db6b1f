"""The language models of this installation: where they are set, whether they answer, what they do.

One per program. Keys stay in here and in the settings file: what is handed out for a screen shows
that there is a key, never the key.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sensemaking.adapters.models.checking import ModelCheck, check_models
from sensemaking.adapters.models.factory import run_meter
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.models.settings_file import (
    load_model_settings,
    load_saved_settings,
    save_model_settings,
    set_elsewhere,
)
from sensemaking.config import ModelSettings
from sensemaking.errors import SensemakingError


class Models:
    """Which models are used. `secrets` is the section `models` of the app's secrets."""

    def __init__(self, home: Path, secrets: Mapping[str, Any] | None = None) -> None:
        self._home = home
        self._secrets = secrets
        self._lock = threading.Lock()
        self._checks: tuple[ModelCheck, ...] = ()
        self._seconds: dict[str, float] = {}
        self._checking: threading.Thread | None = None
        self._failure = ""

    @property
    def settings(self) -> ModelSettings:
        """Return what holds now, from the file, the secrets and the environment.

        Raises
        ------
        ConfigError
            When one of them says something impossible.
        """
        return load_model_settings(self._home, self._secrets)

    @property
    def saved(self) -> ModelSettings:
        """Return what the file alone says: what can be edited."""
        return load_saved_settings(self._home)

    @property
    def set_elsewhere(self) -> dict[str, str]:
        """Return which values the file cannot change, and who sets them."""
        return set_elsewhere(self._secrets)

    def save(self, settings: ModelSettings) -> Path:
        """Write the file, readable by its owner alone; raises `StoreError`."""
        return save_model_settings(settings, self._home)

    def check(self) -> tuple[ModelCheck, ...]:
        """Try the models: at most three small calls each."""
        found = tuple(check_models(self.settings))
        with self._lock:
            self._checks = found
        return found

    def start_check(self) -> None:
        """Try the models in the background; `checks` has the result when `is_checking` ends."""
        with self._lock:
            if self._checking is not None and self._checking.is_alive():
                return
            self._checks, self._failure = (), ""
            self._checking = threading.Thread(target=self._check, name="check", daemon=True)
            self._checking.start()

    @property
    def is_checking(self) -> bool:
        """Whether a check is under way."""
        with self._lock:
            return self._checking is not None and self._checking.is_alive()

    @property
    def checks(self) -> tuple[ModelCheck, ...]:
        """Return what the last check found; empty when there was none."""
        with self._lock:
            return self._checks

    @property
    def failure(self) -> str:
        """Return why the last check could not even begin, "" when it could."""
        with self._lock:
            return self._failure

    def _check(self) -> None:
        try:
            self.check()
        except SensemakingError as error:
            with self._lock:
                self._failure = str(error)

    @property
    def seconds_per_call(self) -> dict[str, float]:
        """Return how long a call of each role took in the latest run of this program."""
        with self._lock:
            return dict(self._seconds)

    def learn(self, meter: RunMeter) -> None:
        """Remember what a run has shown of the speed of the models."""
        with self._lock:
            self._seconds.update(meter.seconds_per_call())

    def meter(self, budget: float | None = None) -> RunMeter:
        """Return a meter for one run; `budget` in US dollars replaces that of the settings."""
        settings = self.settings
        if budget is not None:
            settings = settings.model_copy(update={"budget": budget})
        return run_meter(settings)

"""What all settings have in common: they do not change and know no other names."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen record that refuses what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

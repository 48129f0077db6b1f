"""Settings: small frozen records, checked where they enter, handed down as the least that suffices.

`settings` is what a corpus and a question depend on; `models` is which language models do the work,
and is kept apart from every corpus because it holds keys.
"""

from sensemaking.config.models import (
    ROLES,
    EmbeddingChoice,
    ModelChoice,
    ModelSettings,
    Price,
    Role,
)
from sensemaking.config.settings import (
    AskSettings,
    ChunkingSettings,
    Defaults,
    GraphSettings,
    HierarchySettings,
    LanguageSettings,
    ReportSettings,
    RoundRobinSettings,
    Settings,
)

__all__ = [
    "ROLES",
    "AskSettings",
    "ChunkingSettings",
    "Defaults",
    "EmbeddingChoice",
    "GraphSettings",
    "HierarchySettings",
    "LanguageSettings",
    "ModelChoice",
    "ModelSettings",
    "Price",
    "ReportSettings",
    "Role",
    "RoundRobinSettings",
    "Settings",
]

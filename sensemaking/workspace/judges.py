"""Who judges, splits claims and writes questions, by name: the program itself, or a model."""

from __future__ import annotations

from sensemaking.adapters.models.factory import chat_models
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.config import ModelSettings
from sensemaking.errors import ConfigError
from sensemaking.pipeline import Engine
from sensemaking.ports import ReplyCache
from sensemaking.workspace.comparing import Helpers, JudgeName


def evaluation_helpers(
    name: JudgeName, engine: Engine, *, models: ModelSettings, cache: ReplyCache
) -> Helpers:
    """Return who judges, splits claims and writes questions: the program, or the role judge.

    Raises
    ------
    ConfigError
        When a model is asked for and the role judge has none.
    """
    if name == "extractive":
        from sensemaking.backends.extractive.claim_splitter import ExtractiveClaimSplitter
        from sensemaking.backends.extractive.judge import ExtractiveJudge
        from sensemaking.backends.extractive.question_writer import ExtractiveQuestionWriter

        return Helpers(ExtractiveJudge(), ExtractiveClaimSplitter(), ExtractiveQuestionWriter())
    from sensemaking.backends.llm.asking import Asker
    from sensemaking.backends.llm.claims import LlmClaimSplitter
    from sensemaking.backends.llm.judge import LlmJudge
    from sensemaking.backends.llm.questions import LlmQuestionWriter

    if not isinstance(engine.meter, RunMeter):
        raise ConfigError(
            "Language models are not set up in this program: use the extractive judge."
        )
    asker = Asker(chat_models(models, cache, engine.meter)["judge"], engine.tokenizer)
    return Helpers(LlmJudge(asker), LlmClaimSplitter(asker), LlmQuestionWriter(asker))

"""Every error the engine raises on purpose.

SensemakingError            shown to the user as it is: what, where, the value, the next step
├── InputError              a file, an argument or a question that cannot be used
├── NotFound                a corpus, document, community or answer that is not there
├── NotBuilt                the corpus has no graph (or hierarchy, or reports) yet
├── CorpusBusy              somebody else holds the write lock; names the holder
├── StoreError              the folder cannot be read or written
│   └── NewerStore          the folder was made by a newer version of the program
├── ModelUnavailable        no language work could be done: every window or report failed
├── ModelError              one unit of language work failed; others may not
│   ├── ReplyUnreadable     the reply is not what was asked for, also when asked again
│   ├── ContextTooLong      the prompt does not fit the model
│   └── ContentRefused      the endpoint or the model will not answer this
├── Paused                  the run ends here, is kept, and can be resumed
│   ├── EndpointDown        wrong key, wrong URL, no such model, or no answer after all retries
│   ├── BudgetReached       the next call might cross the cap
│   └── RunStopped          somebody stopped the run
└── ConfigError             a setting with an impossible value
"""

__all__ = [
    "BudgetReached",
    "ConfigError",
    "ContentRefused",
    "ContextTooLong",
    "CorpusBusy",
    "EndpointDown",
    "InputError",
    "ModelError",
    "ModelUnavailable",
    "NewerStore",
    "NotBuilt",
    "NotFound",
    "Paused",
    "ReplyUnreadable",
    "RunStopped",
    "SensemakingError",
    "StoreError",
]


class SensemakingError(Exception):
    """Base of all errors that are shown to the user as they are."""


class InputError(SensemakingError):
    """A file, an argument or a question cannot be used."""


class NotFound(SensemakingError):
    """Something named by the user does not exist."""


class NotBuilt(SensemakingError):
    """The corpus has not been built far enough for what was asked."""


class CorpusBusy(SensemakingError):
    """Another job or process holds the write lock of the corpus."""


class StoreError(SensemakingError):
    """The corpus folder cannot be read or written."""


class NewerStore(StoreError):
    """The corpus folder was written by a newer version of the program."""


class ModelUnavailable(SensemakingError):
    """No language work could be done: every unit failed."""


class ModelError(SensemakingError):
    """One unit of language work failed; the unit is skipped and can be retried."""


class ReplyUnreadable(ModelError):
    """The model's reply is not what was asked for, also after a corrective retry."""


class ContextTooLong(ModelError):
    """The prompt does not fit the model's context."""


class ContentRefused(ModelError):
    """The endpoint's filter or the model itself refuses the text."""


class Paused(SensemakingError):
    """The run ends here; what is done is kept and the run can be resumed."""


class EndpointDown(Paused):
    """The endpoint cannot be used at all: key, address, model or connection."""


class BudgetReached(Paused):
    """The next call might cross the budget."""


class RunStopped(Paused):
    """Somebody stopped the run: no new call is made."""


class ConfigError(SensemakingError):
    """A setting has an impossible value."""

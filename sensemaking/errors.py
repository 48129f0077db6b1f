"""Every error the engine raises on purpose.

SensemakingError            shown to the user as it is: what, where, the value, the next step
├── InputError              a file, an argument or a question that cannot be used
├── NotFound                a corpus, document, community or answer that is not there
├── NotBuilt                the corpus has no graph (or hierarchy, or reports) yet
├── CorpusBusy              somebody else holds the write lock; names the holder
├── StoreError              the folder cannot be read or written
│   └── NewerStore          the folder was made by a newer version of the program
├── ModelUnavailable        no language work could be done: every window or report failed
└── ConfigError             a setting with an impossible value
"""

__all__ = [
    "ConfigError",
    "CorpusBusy",
    "InputError",
    "ModelUnavailable",
    "NewerStore",
    "NotBuilt",
    "NotFound",
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


class ConfigError(SensemakingError):
    """A setting has an impossible value."""

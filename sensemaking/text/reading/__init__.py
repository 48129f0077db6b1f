"""Any file to documents. `READERS` has one reader per media type; content decides, not the name."""

from sensemaking.text.reading.containers import expand, walk
from sensemaking.text.reading.files import READERS, read_file

__all__ = ["READERS", "expand", "read_file", "walk"]

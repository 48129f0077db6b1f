"""Any file to documents. `READERS` has one reader per media type; content decides, not the name."""

from sensemaking.text.reading.containers import Found, expand, walk
from sensemaking.text.reading.files import READERS, read_file
from sensemaking.text.reading.naming import safe_name, whole_characters

__all__ = ["READERS", "Found", "expand", "read_file", "safe_name", "walk", "whole_characters"]

"""Sensemaking: understand a body of documents as a whole, with every sentence sourced."""

import os

# onnxruntime 1.29 and later reports each model it loads to its maker, from compiled code, unless
# this is set before it is first loaded; documents are read with it (markitdown) and embedded.
# Here, because nothing of ours is imported earlier, in worker processes too.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__version__ = "0.1.0"

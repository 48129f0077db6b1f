"""Vectors of texts, kept in the SQLite file of a corpus so that no text is embedded twice."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from sensemaking.adapters.database import Database
from sensemaking.ports import Vectors


class SqliteVectorCache:
    """Vectors by (embedder, text digest), float16 on disk (`ports.VectorCache`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def vectors(self, embedder_key: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """Return the known ones, each (dimension,) float32, in the order of `digests`."""
        with self._database.reading() as connection:
            found = dict(
                connection.execute(
                    "SELECT digest, float16 FROM vectors WHERE embedder_key = ? "
                    "AND digest IN (SELECT value FROM json_each(?))",
                    (embedder_key, json.dumps(list(digests))),
                )
            )
        return {
            one: np.frombuffer(found[one], dtype="<f2").astype(np.float32)
            for one in digests
            if one in found
        }

    def add_vectors(self, embedder_key: str, vectors: dict[str, Vectors]) -> None:
        """Store vectors in one transaction; those already there stay as they are."""
        rows = [
            (embedder_key, key, np.asarray(vector).astype("<f2").tobytes())
            for key, vector in sorted(vectors.items())
        ]
        with self._database.writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)

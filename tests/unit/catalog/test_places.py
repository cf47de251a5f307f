"""What a path means."""

import os
from pathlib import Path

import pytest

from prowess.catalog.places import locate
from prowess.errors import ConfigurationError


def test_a_settings_file_names_its_folder(tmp_path: Path) -> None:
    """Choice: what is at hand may be given."""
    (tmp_path / "prowess.toml").touch()
    assert locate(str(tmp_path / "prowess.toml")).root == str(tmp_path)
    assert not locate(str(tmp_path)).bare


def test_a_folder_below_a_project_means_the_project(tmp_path: Path) -> None:
    """Choice: as if one had gone there."""
    (tmp_path / "prowess.toml").touch()
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.py").touch()
    assert locate(str(tmp_path / "inner")).root == str(tmp_path)
    assert locate(str(tmp_path / "inner" / "a.py")).bare


@pytest.mark.behaviour("project.foreign")
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_a_project_that_another_user_put_above_is_not_opened_by_chance(tmp_path: Path) -> None:
    """Choice: opening a project runs its code, and anybody can write to /tmp."""
    (tmp_path / "prowess.toml").touch()
    os.chown(tmp_path / "prowess.toml", 12_345, -1)
    (tmp_path / "mine").mkdir()
    with pytest.raises(ConfigurationError, match="belongs to another user"):
        locate(str(tmp_path / "mine"))
    assert locate(str(tmp_path)).root == str(tmp_path)

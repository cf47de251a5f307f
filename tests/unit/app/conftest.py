"""What the tests of `app` share."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.unit.app.folder import Folder, fresh_folder


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Folder]:
    """Give a folder, and take what was imported from it out of the process afterwards."""
    with fresh_folder(tmp_path) as found:
        yield found

"""The packages that users and hosts import from."""

import pytest

import prowess
from prowess import app
from prowess.app.project import open_project
from prowess.app.view import RegistryView


def test_the_package_lists_its_names_before_they_are_loaded() -> None:
    """Choice: an editor completes what `import prowess` has not loaded yet."""
    assert set(prowess.__all__) <= set(dir(prowess))
    assert all(getattr(prowess, name) is not None for name in prowess.__all__)


def test_the_composition_root_gives_what_it_names() -> None:
    """Choice: `prowess.app` names its facades, and loads each when it is asked for."""
    assert (app.open_project, app.RegistryView) == (open_project, RegistryView)
    assert all(getattr(app, name) is not None for name in app.__all__)


@pytest.mark.parametrize("package", [prowess, app])
def test_a_name_that_a_package_does_not_have_is_an_attribute_error(package: object) -> None:
    """Choice: a late name fails as any other does, and `hasattr` can ask for it."""
    name = "Skil"
    with pytest.raises(AttributeError, match="has no attribute 'Skil'"):
        getattr(package, name)

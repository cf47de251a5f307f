"""Which files of a folder are read as skills' code. Imports only `os`: `prowess list` waits for this module."""

import os

__all__ = ["is_code", "names_in", "python_files", "uses_prowess", "walk"]

_PASSED_OVER = frozenset({"__pycache__", "node_modules", "site-packages", "venv"})
_NOT_SKILLS = ("test_", "conftest.", "setup.", "noxfile.", "_", ".")


def is_code(name: str) -> bool:
    """Whether a file of that name is read: a `.py` file that is neither private nor a test nor a build script."""
    return name.endswith(".py") and not name.startswith(_NOT_SKILLS) and not name.endswith("_test.py")


def names_in(folder: str) -> list[str]:
    """What decides whether a folder has to be read again: its code files, and its subfolders with a slash, sorted.

    A folder that cannot be listed is empty.
    """
    try:
        with os.scandir(folder) as found:
            names = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in found]
    except OSError:
        return []
    return sorted(name for name in names if is_code(name) or _is_folder(name))


def python_files(folder: str) -> list[str]:
    """The paths of the code files directly inside a folder, sorted."""
    return [os.path.join(folder, name) for name in names_in(folder) if not name.endswith("/")]


def uses_prowess(path: str) -> bool:
    """Whether a file imports prowess, wherever in it: reading another one as skills' code would only run it."""
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return True  # importing it tells what is wrong
    return any(b"prowess" in line and line.split(None, 1)[0] in {b"from", b"import"} for line in lines)


def walk(folder: str) -> list[str]:
    """The folder and every one below it, sorted, hidden and generated ones left out. Links are not followed."""
    found: list[str] = []
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        found.append(here)
        inside = [os.path.join(here, name[:-1]) for name in names_in(here) if name.endswith("/")]
        waiting += [path for path in inside if not os.path.islink(path)]
    return sorted(found)


# ---------------------------------------------------------------------------------------------------------------------


def _is_folder(name: str) -> bool:
    return name.endswith("/") and not name.startswith((".", "__")) and name[:-1] not in _PASSED_OVER

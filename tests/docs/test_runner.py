"""The runner of the documentation must itself be able to fail."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.docs.page import Block, PageError, blocks_of, commands_of
from tests.docs.test_pages import ROOT, read_page

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

HOLDS = """\
```python
import asyncio
from pathlib import Path
x = 20
```
Later:
```python
print("the sum of", x + 22)
Path("made.txt").write_text("by python")
await asyncio.sleep(0)
```
```output
the ... 42
```
  ```json file=deep/data.json
  {"a": 1}
  ```
```console
$ cat made.txt; echo
by python
$ cat deep/data.json
{"a": 1}
$ mkdir sub
$ cd sub
$ export WORD=kept
$ pwd
.../sub
```
```console exit=3
$ echo one \\
>   two
one two
$ echo $WORD; echo error >&2; exit 3
```
```console
$ pwd
.../desk/sub
$ sh -c 'echo ready; exec tail -f /dev/null' &
ready
```
```python skip="needs a network"
raise SystemExit
```
```text
$ never run
```
"""


def test_a_page_that_holds_passes(tmp_path: Path) -> None:
    """Choice: every kind of block does its work, in the order of the page."""
    done = _read(tmp_path, HOLDS)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ("```python\nx = 1\nassert x == 2\n```", "page.md, line 2: this block raised"),
        ("```python\nimport asyncio\nawait asyncio.wait_for(asyncio.Event().wait(), 0.01)\n```", "TimeoutError"),
        ("```python\nprint(1)\n```\n```output\n2\n```", "line 5: expected\n2"),
        ("```console\n$ echo no\nyes\n```", "line 2: expected\nyes"),
        ("```console\n$ false\n```", "line 2: `false` ended with 1, not 0"),
        ("```console exit=1\n$ true\n```", "line 2: `true` ended with 0, not 1"),
        ("```console\n$ sh -c 'echo no' &\nyes\n```", "line 2: expected\nyes"),
        ("```console\nls\n```", "line 2: a console block begins with"),
        ("```console\n$ ls", "line 1: this block never ends"),
        ("```console skip=slow\n$ ls\n```", "line 1: a skipped block says why"),
        ("```console cdw=sub\n$ ls\n```", "line 1: unknown words ['cdw']"),
    ],
)
def test_a_page_that_does_not_hold_says_which_line(page: str, complaint: str, tmp_path: Path) -> None:
    """Choice: each way a page can be wrong is an error with its place."""
    done = _read(tmp_path, page)
    assert done.returncode == 1
    assert complaint in done.stderr


def test_a_traceback_shows_the_line_of_the_page(tmp_path: Path) -> None:
    """Choice: a broken example is found without counting lines."""
    done = _read(tmp_path, "# Title\n\n```python\nx = 1\nraise ValueError(x)\n```\n")
    assert 'page.md", line 5' in done.stderr


def test_a_folder_of_the_repository_is_copied_not_used(tmp_path: Path) -> None:
    """Choice: running the documentation leaves the repository as it was."""
    there = "```console cwd=tests/typing\n"
    page = f"{there}$ touch left-behind\n```\n{there}$ ls left-behind\nleft-behind\n```\n```console\n$ ls\n```\n"
    assert _read(tmp_path, page).returncode == 0
    assert not (ROOT / "tests" / "typing" / "left-behind").exists()
    assert (tmp_path / "run" / "notes" / "tests" / "typing" / "left-behind").exists()


def test_the_usual_port_is_replaced_by_a_free_one(tmp_path: Path) -> None:
    """Choice: the documentation can be tested while a server runs."""
    done = _read(tmp_path, '```console\n$ test "$PROWESS_SERVER_PORT" = 8765\n$ false 8765\n```\n')
    assert done.returncode == 1
    assert re.search(r"`false (?!8765)[0-9]+` ended with 1", done.stderr)


def test_a_longer_fence_holds_a_shorter_one() -> None:
    """Choice: a page may show how a page is written."""
    assert blocks_of("````markdown\n```python\nx\n```\n````\n") == [
        Block(language="markdown", text="```python\nx\n```\n", line=2)
    ]


def test_commands_keep_their_place_and_output() -> None:
    """Choice: a complaint names the command, not the block."""
    commands = commands_of(Block(language="console", text="$ a\n1\n2\n$ b\n", line=7))
    assert [(c.text, c.expected, c.line) for c in commands] == [("a", "1\n2", 7), ("b", "", 10)]


def test_an_empty_console_block_is_refused() -> None:
    """Choice: a block that runs nothing proves nothing."""
    with pytest.raises(PageError, match="begins with"):
        commands_of(Block(language="console", text="\n", line=1))


def _read(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    run = folder / "run"
    run.mkdir()
    return read_page(page, run)

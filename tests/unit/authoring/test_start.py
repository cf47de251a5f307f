"""What importing and decorating cost before anything runs."""

import asyncio
import sys
from pathlib import Path

import prowess

PROGRAM = """
import sys
from prowess import BaseSkill, Context, Pipeline, Services, op, skill
@op
async def search_index(query: str, limit: int | None = 10) -> list[str]:
    'Search the note index.'
@skill(calls=[search_index], version='1.0.0')
def search(query: str, ctx: Context) -> dict[str, int]:
    'Search.'
Pipeline('p', version='1.0.0', description='d').input(q=str).step('a', search).build()
print([name for name in sys.argv[1:] if name in sys.modules])
"""
HEAVY = ("pydantic", "asyncio", "jsonschema_rs", "semantic_version", "dataclasses", "pathlib", "logging", "difflib")


async def test_decorating_builtin_annotations_imports_nothing_heavy() -> None:
    """Spec: start-up counts, so no Pydantic, asyncio or validator on the path of what does not need it."""
    source = str(Path(prowess.__file__).parent.parent)
    ran = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM, *HEAVY), stdout=asyncio.subprocess.PIPE, env={"PYTHONPATH": source}
    )
    output, _ = await ran.communicate()

    assert output.decode().strip() == "[]"

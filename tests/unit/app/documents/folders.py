"""Folders of documents for the tests of loading them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from prowess import Registry, Runtime
from tests.unit.documents import samples as make

if TYPE_CHECKING:
    from prowess.documents.values import Document
    from tests.unit.app.folder import Folder

CODE = """
import threading

def read(query):
    return {"result": f"read {query}", "thread": threading.current_thread().name}

async def tell(query, ctx):
    found = await ctx.call("read", query=query)
    return {"result": found["result"]}

async def echo(query, ctx="mine"):
    return {"result": f"{query} {ctx}"}

class Deep:
    @staticmethod
    async def inner(query):
        return {"result": query}

number = 5
"""


def write(folder: Folder, *documents: Document, **overlays: str) -> str:
    """Write documents into a config folder, `skills.code` standing for a module of this test alone."""
    folder.write("code_§.py", CODE)
    if not any(one.kind == "skills" for one in documents):
        documents = (*documents, make.skills())
    for document in documents:
        name = {"skills": "skill-registry", "ops": "op-registry", "capabilities": "capabilities"}[document.kind]
        folder.write(f"config/{name}.json", document.data.decode().replace("skills.code", "code_§"))
    for name, text in overlays.items():
        folder.write(f"config/overlays/{name}.yaml", text)
    return str(folder.path / "config")


def run(registry: Registry, name: str, **inputs: Any) -> Any:
    """Run an entry; gives its output, or its error."""

    async def call() -> Any:
        async with Runtime(registry) as runtime:
            result = await runtime.run(name, inputs)
            return result.output if result.error is None else result.error

    return asyncio.run(call())


TELL = make.logic("tell", call_targets=[{"kind": "op", "name": "read"}])

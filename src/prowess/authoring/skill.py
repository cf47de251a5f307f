"""What a skill, a package and a factory are, in Python."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Unpack, runtime_checkable

from msgspec import Struct

from prowess.authoring.context import Context
from prowess.authoring.options import TRAITS, Traits, check_options
from prowess.authoring.services import Services
from prowess.authoring.signature.reading import Signature, read_signature
from prowess.model.schema import NO_INPUTS

__all__ = ["BaseSkill", "LoadedPackage", "Package", "Skill", "SkillFactory", "derived_signature"]


@runtime_checkable
class Skill(Protocol):
    """Anything with a name, a description, parameters and an `execute` is a skill; nothing has to be inherited.

    `version`, `output_schema`, `title`, `tags` and `capabilities`, or a whole `manifest`, are taken where it has them.
    """

    @property
    def name(self) -> str:
        """Its name in the registry."""
        ...

    @property
    def description(self) -> str:
        """What it does and when to use it."""
        ...

    @property
    def parameters(self) -> Mapping[str, object]:
        """The JSON Schema of its inputs."""
        ...

    # Written with *args so that type checkers take every keyword signature for it; calls use keywords only.
    def execute(self, *args: Any, **inputs: Any) -> Awaitable[Any]:
        """Carry one call out. Its inputs fit the schema."""
        ...


SkillFactory: TypeAlias = Callable[[Services], Skill]
"""Makes a skill from what the host registered; called once for each scope, when the skill is first needed."""


class _DerivedParameters:
    """`parameters` of a skill that gives none: what `execute` names. An attribute of that name comes before it."""

    def __get__(self, skill: object, owner: type) -> dict[str, object]:
        signature = _signature_of(owner if skill is None else skill, owner.__name__)
        return NO_INPUTS.value() if signature is None else signature.input_schema.value()


_NO_TRAITS: Traits = {}


class BaseSkill(ABC):
    """A skill as a class. Give name, description and parameters to `super().__init__`, or as class attributes.

    Without parameters they are what `execute` names, with their types and the descriptions of its docstring.
    """

    if TYPE_CHECKING:
        name: str
        description: str
        parameters: Mapping[str, object]
    else:
        parameters = _DerivedParameters()
    version: str | None = None
    output_schema: Mapping[str, object] | None = None
    traits: Traits = _NO_TRAITS
    """What `super().__init__` was told besides."""

    def __init__(
        self,
        name: str | None = None,
        description: str | None = None,
        parameters: Mapping[str, object] | None = None,
        *,
        version: str | None = None,
        output_schema: Mapping[str, object] | None = None,
        **traits: Unpack[Traits],
    ) -> None:
        check_options(type(self).__name__, traits, TRAITS)
        given = {
            "name": name,
            "description": description,
            "parameters": parameters,
            "version": version,
            "output_schema": output_schema,
        }
        for attribute, value in given.items():
            if value is not None:
                setattr(self, attribute, value)
        self.traits = traits

    @abstractmethod
    def execute(self, *args: Any, **inputs: Any) -> Any:
        """Carry one call out; write it `async`, or plain to have it run in a thread."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {getattr(self, 'name', 'without a name')}>"


class LoadedPackage(Struct, frozen=True):
    """What a package holds once it is opened. A value: a change makes another one.

    A resource is text, bytes, a path, a `CommandOutput`, or anything with an async `read()`, which is asked each time.
    """

    instructions: str
    resources: Mapping[str, object] = {}
    digest: str | None = None
    """What its bytes hash to, where whoever loaded it knows; otherwise a hash of the instructions is shown."""

    def with_resource(self, key: str, resource: object) -> "LoadedPackage":
        """The same package with this resource; one of that key is replaced."""
        return LoadedPackage(self.instructions, {**self.resources, key: resource})

    def resource_keys(self) -> list[str]:
        """The keys of all resources, sorted."""
        return sorted(self.resources)


@runtime_checkable
class Package(Protocol):
    """Instructions and resources under a name, loaded when somebody activates it."""

    @property
    def name(self) -> str:
        """Its name in the registry."""
        ...

    @property
    def description(self) -> str:
        """What it is for and when to activate it."""
        ...

    @property
    def version(self) -> str | None:
        """Its version, None where it has none."""
        ...

    async def load(self, ctx: Context) -> LoadedPackage:
        """Open it."""
        ...


def derived_signature(skill: object, label: str) -> Signature | None:
    """What `execute` says where the skill gives no parameters; None where it does, or where `execute` names none."""
    given = inspect.getattr_static(skill, "parameters", None)
    return _signature_of(skill, label) if isinstance(given, _DerivedParameters) else None


# ---------------------------------------------------------------------------------------------------------------------


def _signature_of(skill: object, label: str) -> Signature | None:
    execute = getattr(skill, "execute", None)
    if not callable(execute) or getattr(execute, "__isabstractmethod__", False):
        return None
    signature = read_signature(execute, f"{label}.execute")
    return signature if signature.names_inputs else None

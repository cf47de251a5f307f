# What we use of semantic-version, which ships no types.
import re
from typing import ClassVar

from semantic_version.base import Range

class NpmSpec:
    class Parser:
        NPM_SPEC_BLOCK: ClassVar[re.Pattern[str]]
        @classmethod
        def parse_simple(cls, simple: str) -> list[Range]: ...

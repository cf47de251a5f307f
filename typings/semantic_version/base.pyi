from typing import ClassVar

class Version:
    def __init__(self, version_string: str) -> None: ...

class Range:
    OP_EQ: ClassVar[str]
    OP_GT: ClassVar[str]
    OP_GTE: ClassVar[str]
    OP_LT: ClassVar[str]
    OP_LTE: ClassVar[str]
    OP_NEQ: ClassVar[str]
    operator: str
    target: Version

from collections.abc import Mapping, Sequence
from enum import Enum

class Decision(Enum):
    Allow = "Allow"
    Deny = "Deny"
    NoDecision = "NoDecision"

class Schema:
    @staticmethod
    def from_str(s: str) -> Schema: ...

class PolicySet:
    @staticmethod
    def from_str(s: str) -> PolicySet: ...

class Entities:
    @staticmethod
    def from_json_str(s: str, schema: Schema | None = None) -> Entities: ...

class Diagnostics:
    @property
    def errors(self) -> Sequence[str]: ...
    @property
    def reasons(self) -> Sequence[str]: ...
    @property
    def id_annotations_by_reason(self) -> Mapping[str, str]: ...

class AuthzResult:
    @property
    def decision(self) -> Decision: ...
    @property
    def diagnostics(self) -> Diagnostics: ...

class ValidationError: ...

class ValidationResult:
    @property
    def errors(self) -> Sequence[ValidationError]: ...

def is_authorized(
    request: Mapping[str, object], policies: PolicySet, entities: Entities, schema: Schema
) -> AuthzResult: ...
def validate_policies(policies: str, schema: Schema) -> ValidationResult: ...

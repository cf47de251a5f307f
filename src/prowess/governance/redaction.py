"""What may be shown of a call: declared paths masked, and secrets that are known by their name or their shape.

Masking is pure, takes linear time, and a second time changes nothing. Where it is in doubt about what was declared,
more goes and not less. Of what was not declared only that goes which looks like a secret: prose, UUIDs, hashes and
images stay.
"""

from msgspec import Struct

from prowess.governance.masking.mask import MASK
from prowess.governance.masking.occurrences import TooLargeError, plain_copy, taken, without_taken
from prowess.governance.masking.paths import Branch, branch_of
from prowess.governance.masking.texts import masked_text
from prowess.governance.masking.values import masked_value
from prowess.model.json_value import Json
from prowess.model.manifest_parts import Redaction

__all__ = ["MASK", "NO_MASKS", "Masks", "masked_text", "masker"]


class Masks(Struct, frozen=True):
    """The masks of one entry. A value, made once for each entry and shared by all of its calls."""

    of_inputs: Branch | None = None
    of_outputs: Branch | None = None

    def inputs(self, value: Json) -> Json:
        """What may be shown of inputs. Takes a value of its own, which it changes."""
        return masked_value(value if self.of_inputs is None else self.of_inputs.mask(value, _whole))

    def outputs(self, value: Json) -> Json:
        """What may be shown of an output. Takes a value of its own, which it changes."""
        return masked_value(value if self.of_outputs is None else self.of_outputs.mask(value, _whole))

    def text(self, text: str, *, inputs: object = None, output: object = None) -> str:
        """What may be shown of a text about a call, such as an error's: nothing in it that is masked in the values.

        The values are not changed, and need not be JSON: a call may have been refused for just that. Of one that is too
        large to look through nothing can be said, and nothing is shown.
        """
        if not inputs and not output:
            return masked_text(text)
        try:
            given, got = plain_copy(inputs), plain_copy(output)
            hidden, kept = self.inputs(plain_copy(inputs)), self.outputs(plain_copy(output))
        except TooLargeError:
            return MASK
        return masked_text(without_taken(text, [*taken(given, hidden), *taken(got, kept)]))


NO_MASKS = Masks()
"""Of entries that declare nothing: what is known by name or shape goes all the same."""


def masker(redaction: Redaction) -> Masks:
    """The masks for what an entry declares."""
    inputs, outputs = branch_of(redaction.inputs), branch_of(redaction.outputs)
    return Masks(inputs, outputs) if inputs or outputs else NO_MASKS


# ---------------------------------------------------------------------------------------------------------------------


def _whole(_: Json) -> Json:
    return MASK

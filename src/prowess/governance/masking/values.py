"""A JSON value without the secrets in it: under names that speak of one, and in texts."""

from functools import lru_cache

from prowess.governance.masking.mask import MASK
from prowess.governance.masking.names import NAME_LIMIT, Naming, naming_of, word_set
from prowess.governance.masking.randomness import looks_random
from prowess.governance.masking.texts import masked_text
from prowess.model.json_value import DEPTH_LIMIT, Json

__all__ = ["masked_value"]


def masked_value(value: Json, depth: int = 0) -> Json:
    """The value with a mask in the place of each secret, in place; its objects and arrays stay as they are."""
    if isinstance(value, str):
        return masked_text(value)
    if isinstance(value, dict):
        return _masked_object(value, depth) if depth <= DEPTH_LIMIT else MASK
    if isinstance(value, list):
        return _masked_array(value, depth) if depth <= DEPTH_LIMIT else MASK
    return value


# ---------------------------------------------------------------------------------------------------------------------


_NAMES = ("name", "key", "header", "field")
"""Fields whose text names what stands in the field `value` beside them."""
_SCHEMA_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
_SCHEMA_WORDS = word_set(
    "type format description title minLength maxLength pattern required properties items anyOf oneOf allOf not"
    " $ref nullable additionalProperties readOnly writeOnly deprecated"
)


def _masked_object(value: dict[str, Json], depth: int) -> dict[str, Json]:
    renamed = False
    for key, item in value.items():
        naming = _naming(key) if len(key) <= NAME_LIMIT else None
        if naming is Naming.PLAIN:
            if isinstance(item, str):
                value[key] = masked_text(item)
            elif isinstance(item, dict | list):
                value[key] = masked_value(item, depth + 1)
        else:
            renamed = renamed or naming is None
            value[key] = _behind(naming or naming_of(key), item, depth + 1)
    if "value" in value and _names_a_secret(value):
        value["value"] = _behind(Naming.SECRET, value["value"], depth + 1)
    return _renamed(value) if renamed else value


@lru_cache(maxsize=4_096)
def _naming(key: str) -> Naming | None:
    """What a key says about its value; None where the key itself holds a secret."""
    return naming_of(key) if masked_text(key) == key else None


def _renamed(value: dict[str, Json]) -> dict[str, Json]:
    """The object with its keys masked; those that become alike get a number."""
    fields: dict[str, Json] = {}
    for key, item in value.items():
        shown = name = masked_text(key)
        number = 1
        while name in fields:
            number += 1
            name = f"{shown} {number}"
        fields[name] = item
    return fields


def _masked_array(value: list[Json], depth: int) -> list[Json]:
    behind = Naming.PLAIN
    for at, item in enumerate(value):
        if isinstance(item, str):
            is_flag = item[:2] == "--"
            value[at] = masked_text(item) if behind is not Naming.SECRET or is_flag else MASK
            behind = naming_of(item) if is_flag else Naming.PLAIN  # as in the arguments of a command
        else:
            value[at] = masked_value(item, depth + 1)
            behind = Naming.PLAIN
    return value


def _behind(naming: Naming, item: Json, depth: int) -> Json:
    """What may be shown of what stands behind a name."""
    if naming is Naming.SECRET:
        return _hidden(item, depth)
    if isinstance(item, str) and (_is_no_count(item) if naming is Naming.COUNTED else looks_random(item)):
        return MASK
    if naming is Naming.COUNTED and isinstance(item, list):
        return [_behind(naming, one, depth + 1) for one in item]
    return masked_value(item, depth)


def _is_no_count(text: str) -> bool:
    return not text.replace(",", "").replace(".", "").isdigit()


def _hidden(item: Json, depth: int) -> Json:
    """A secret, or all that an object or an array of secrets holds; whether there is one at all may be seen."""
    if item is None or isinstance(item, bool) or item == "":
        return item
    if depth > DEPTH_LIMIT or not isinstance(item, dict | list):
        return MASK
    if isinstance(item, list):
        return [_hidden(one, depth + 1) for one in item]
    is_schema = item.get("type") in _SCHEMA_TYPES or "$ref" in item
    hidden = {
        key: masked_value(one, depth + 1) if is_schema and key in _SCHEMA_WORDS else _hidden(one, depth + 1)
        for key, one in item.items()
    }
    return _renamed(hidden)


def _names_a_secret(value: dict[str, Json]) -> bool:
    names = (value.get(field) for field in _NAMES)
    return any(isinstance(name, str) and naming_of(name) is Naming.SECRET for name in names)

"""Which names of fields, variables and headers say that a secret stands behind them."""

import re
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise

__all__ = ["NAME_LIMIT", "Naming", "naming_of", "word_set", "words_of"]

NAME_LIMIT = 80
"""Longer ones are no names."""


class Naming(Enum):
    """What a name says about the value behind it."""

    PLAIN = auto()
    ABOUT_RANDOM = auto()
    """A secret where the value looks random: `key`, `session_id`, `signature`."""
    COUNTED = auto()
    """A secret unless it is a number: `max_tokens` counts, `tokens` may hold some."""
    SECRET = auto()


@lru_cache(maxsize=4_096)
def naming_of(name: str) -> Naming:
    """What a name says, in any spelling: `apiKey`, `API_KEY`, `X-Api-Key`, `db.password`."""
    words = words_of(name)
    if not words or len(name) > NAME_LIMIT or _is_about(words):
        return Naming.PLAIN
    pairs = {*pairwise(words)}
    if not _SECRETS.isdisjoint(words) or not _SECRET_PAIRS.isdisjoint(pairs) or (words[-1] == "pass" and pairs):
        return Naming.SECRET if pairs.isdisjoint(_PLAIN_PAIRS) else Naming.PLAIN
    if "tokens" in words:
        return Naming.COUNTED
    return Naming.ABOUT_RANDOM if words[-1] in _RANDOM or not _RANDOM_PAIRS.isdisjoint(pairs) else Naming.PLAIN


def words_of(name: str) -> tuple[str, ...]:
    """The words that a name is made of, in lower case; a number at the end is none."""
    words = [word.lower() for word in _WORD.findall(name)]
    return tuple(words[:-1] if words and words[-1].isdigit() else words)


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written with spaces."""
    return frozenset(text.split())


# ---------------------------------------------------------------------------------------------------------------------


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W0-9_A-Za-z]+")

_SECRETS = word_set(
    "password passwords passwd pwd passphrase passcode passwort kennwort secret secrets token apikey apitoken"
    " authtoken accesstoken accesskey secretkey privatekey credential credentials creds authorization bearer jwt"
    " cookie otp totp cvv cvc senha пароль 密码"
)
_SECRET_PAIRS = frozenset(
    (word, "key")
    for word in word_set(
        "api access secret private signing encryption master account auth shared storage ssh deploy hmac"
    )
) | {("api", "keys"), ("access", "keys"), ("private", "keys"), ("connection", "string")}
_PLAIN_PAIRS = frozenset(
    (word, "token") for word in word_set("page next continuation sync pad eos bos unk sep cls mask stop special per")
)
"""Where a list goes on, and what a language model reads: opaque, but no right to anything."""
_RANDOM = word_set("key keys auth signature sig salt seed session sid sessionid csrf xsrf nonce")
_RANDOM_PAIRS = frozenset({("session", "id"), ("auth", "code"), ("authorization", "code")})
_ABOUT = word_set(
    "count counts type types limit limits name names length len size url urls uri endpoint endpoints policy"
    " policies expiry expires expiration expired ttl id ids budget usage used field fields path paths file files"
    " dir folder env var variable required enabled disabled valid validity exists present status state format"
    " prefix suffix kind scheme schema index position offset ratio cost price rate source ref provider manager"
    " helper handler version date time at in age hint strength rotation rules rule description label title help"
    " docs page link method methods algorithm alg min max supported domain secure httponly samesite consent banner"
    " permission permissions scope scopes issuer audience interval info class resource resources group"
)
"""What a name ends with that speaks about a secret and does not hold it."""
_HOLDING = frozenset({("secret", "id"), ("cookie", "id")})


def _is_about(words: tuple[str, ...]) -> bool:
    return len(words) > 1 and words[-1] in _ABOUT and words[-2:] not in _HOLDING and words[-2:] not in _RANDOM_PAIRS

"""Secrets that are known by their shape: keys of providers, JSON web tokens, private keys, passwords in addresses.

Every pattern takes linear time: it begins with letters of its own that stand where no word goes on, each of its
repetitions ends where the next one cannot begin, and what it takes is never looked at again.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

from prowess.governance.masking.mask import MASK

__all__ = ["without_keys", "without_logins", "without_private_keys"]

Check: TypeAlias = Callable[[str], bool]


def without_keys(text: str) -> str:
    """The text without keys of providers and tokens."""
    for mark, pattern, is_key in _KEYS:
        if mark in text:
            text = pattern.sub(MASK, text) if is_key is None else _where(pattern, is_key, text)
    return text


def without_private_keys(text: str) -> str:
    """The text without private keys in PEM; of one without an end, all that could belong to it goes."""
    return _PEM.sub(_unended, text) if "PRIVATE KEY" in text else text


def without_logins(text: str) -> str:
    """The text without passwords in addresses: `https://user:password@host`."""
    return _LOGIN.sub(rf"\1{MASK}@", text) if "://" in text and "@" in text else text


# ---------------------------------------------------------------------------------------------------------------------


def _where(pattern: re.Pattern[str], is_key: Check, text: str) -> str:
    return pattern.sub(lambda found: MASK if is_key(found[0]) else found[0], text)


def _has_digit(text: str) -> bool:
    """Names in kebab-case and snake_case begin like keys: `sk-container`, `pypi-publish`."""
    return any(map(str.isdigit, text))


def _is_mixed(text: str) -> bool:
    """As above, for what also has names with digits in it."""
    return _has_digit(text) and text != text.lower()


def _key(mark: str, rest: str, is_key: Check | None = None) -> tuple[str, re.Pattern[str], Check | None]:
    """A shape: letters that it begins with, for which a text is searched first, and the pattern of what follows them.

    The look-behind stands after the first letter, so that the search for it stays a search for letters.
    """
    first = re.escape(mark[0])
    return mark, re.compile(rf"{first}(?<![A-Za-z0-9]{first}){re.escape(mark[1:])}{rest}"), is_key


_KEYS = (
    _key("sk-", r"[\w-]{16,}+", _has_digit),  # OpenAI, Anthropic, OpenRouter, DeepSeek
    *(_key(f"{kind}_", r"[\w-]{16,}+", _has_digit) for kind in ("sk", "rk", "pk")),  # Stripe, and Prowess itself
    _key("whsec_", r"[A-Za-z0-9+/=_-]{16,}+"),
    *(_key(mark, r"[A-Z0-9]{12,}+", _has_digit) for mark in ("AKIA", "ASIA", "ABIA", "ACCA")),
    *(_key(f"gh{kind}_", r"[A-Za-z0-9]{16,}+") for kind in "pousr"),
    _key("github_pat_", r"\w{16,}+"),
    *(
        _key(f"gl{kind}-", r"[\w.-]{16,}+", _has_digit)
        for kind in ("pat", "dt", "rt", "cbt", "ptt", "ft", "soat", "oas")
    ),
    _key("xox", r"[a-z](?:\.xox[a-z])?-[\w-]{10,}+", _has_digit),
    _key("xapp-", r"[\w-]{16,}+", _has_digit),
    _key("https://hooks.slack.com/", r"(?:services|workflows)/[\w/-]{16,}+"),
    _key("AIza", r"[\w-]{24,}+"),
    _key("ya29.", r"[\w.-]{16,}+"),
    _key("GOCSPX-", r"[\w-]{16,}+"),
    _key("npm_", r"[A-Za-z0-9]{20,}+", _has_digit),
    _key("pypi-", r"[\w-]{16,}+", _is_mixed),
    _key("hf_", r"[A-Za-z0-9]{16,}+"),
    _key("gsk_", r"[A-Za-z0-9]{16,}+"),
    _key("xai-", r"[\w-]{20,}+", _is_mixed),
    _key("pplx-", r"[\w-]{20,}+", _is_mixed),
    _key("r8_", r"[A-Za-z0-9]{20,}+"),
    _key("SG.", r"[\w-]{16,}+\.[\w-]{16,}+"),
    _key("hvs.", r"[\w-]{16,}+"),
    _key("dapi", r"[0-9a-f]{32,}+"),
    _key("ATATT3", r"[\w=-]{20,}+"),
    _key("AGE-SECRET-KEY-", r"[A-Z0-9]{16,}+"),
    *(_key(f"shp{kind}_", r"[0-9a-fA-F]{16,}+") for kind in ("at", "ca", "pa", "ss")),
    *(_key(f"do{kind}_v1_", r"[0-9a-f]{16,}+") for kind in "opr"),
    _key("lin_api_", r"[A-Za-z0-9]{16,}+"),
    _key("ntn_", r"[A-Za-z0-9]{20,}+"),
    _key("SK", r"[0-9a-f]{32}(?![0-9A-Za-z])"),
    _key("eyJ", r"[\w-]{5,}+\.[\w-]{5,}+(?:\.[\w-]*+)*+"),
)

_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"((?:(?!-----(?:BEGIN|END) )[\s\S])*+)"
    r"(-----END [A-Z0-9 ]{0,40}(?:-----)?)?"
)
_ARMOUR = re.compile(r"(?:[A-Za-z0-9+/=\s:,]|\\[nrt]|-(?!----))*+")


def _unended(found: re.Match[str]) -> str:
    if found[2]:
        return MASK
    armour = _ARMOUR.match(found[1])
    return MASK + found[1][armour.end() if armour else 0 :]


_LOGIN = re.compile(r"(://[^\s/?#:@'\"<>]{0,256}:)[^\s/?#'\"<>]{1,256}@")

"""Secrets that stand behind a name in a text: `password=…`, `"token": "…"`, `Authorization: Bearer …`, `--api-key …`.

A text is prose and code as well: `token: a string`, `api_key=os.environ["KEY"]` and `password: str` hold no secret.
What is written like a word, a type, a placeholder or a reference is left, unless it is quoted or stands where only a
value can.
"""

import re

from prowess.governance.masking.mask import MASK
from prowess.governance.masking.names import Naming, naming_of, word_set, words_of
from prowess.governance.masking.randomness import looks_random

__all__ = ["without_assigned"]


def without_assigned(text: str) -> str:
    """The text without what is assigned to names of secrets, and without random words that are assigned to any name."""
    lowered = text.lower()
    if "=" not in text and not any(word in lowered for word in _WORDS):
        return text
    if "authorization" in lowered:
        text = _AUTHORIZATION.sub(_authorized, text)
    if "bearer" in lowered:
        text = _BEARER.sub(_borne, text)
    if "cookie" in lowered:
        text = _COOKIE.sub(rf"\1{MASK}", text)
    if "</" in text:
        text = _ELEMENT.sub(_held, text)
    if "--" in text:
        text = _without_values(text, _FLAG)
    return _without_values(text, _NAMED)


# ---------------------------------------------------------------------------------------------------------------------


_WORDS = (
    *("pass", "pwd", "secret", "token", "key", "auth", "cred", "cookie", "jwt", "bearer", "otp", "cvv", "cvc", "sig"),
    *("kennwort", "session", "connection", "senha", "пароль", "密码"),
)
"""What the names of secrets hold."""

_AUTHORIZATION = re.compile(
    r"(?P<before>authorization\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}(?:\\{0,3}[\"'])?(?P<scheme>[a-z][\w-]{0,24}[ \t]{1,3})?)"
    r"(?P<value>[^\s\"'`\\,;&]++)(?P<next>[ \t]+[a-z])?",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(bearer[ \t]{1,3})([\w.~+/=-]{8,}+)", re.IGNORECASE)
_COOKIE = re.compile(
    r"(cookie\\{0,3}[\"']?\s{0,3}:\s{0,3}(?:\\{0,3}[\"'])?)[^\s=;,\"'\\]{1,256}=[^\r\n\"'\\]*", re.IGNORECASE
)
_ELEMENT = re.compile(r"(<([A-Za-z][\w:.-]{0,79}+)>)([^<>\n]{1,1024}+)(?=</)")
_NAME = r"(?<![\w.])(?P<name>(?:(?:API|[Aa]pi|[Aa]ccess|[Ss]ecret|[Pp]rivate) )?[^\W\d][\w.-]{0,79}+)"
_NAMED = re.compile(rf"{_NAME}\\{{0,3}}[\"']?\]?(?P<space>[ \t]{{0,3}})(?P<sign>=>|:=|={{1,3}}|:)(?:\*\*)?[ \t]{{0,4}}")
_FLAG = re.compile(rf"(?<=--){_NAME}(?P<space>[ \t]{{1,3}})(?P<sign>)(?![-\s])")
_VALUE = re.compile(
    r"(?P<escaped>\\+[\"'])(?P<in_escaped>(?:(?!(?P=escaped))[^\n])*+)"
    r"|[bru]{0,2}\"(?P<in_double>(?:[^\"\\\n]|\\.)*+)"
    r"|[bru]{0,2}'(?P<in_single>(?:[^'\\\n]|\\.)*+)"
    r"|(?P<bare>(?:[^\s\"'`,;&<>|\\]|\\(?![nrt\"']))++)"
)
_DRAWN = re.compile(r"(?:\\{0,3}[\"'])?(?P<drawn>[A-Za-z0-9+/_=.~-]{20,128}+)(?![A-Za-z0-9+/_=.~(-])")

_PLACEHOLDER = re.compile(
    r"(?:(?:bearer|basic|token)\s+)?"
    r"(?:\$[A-Za-z_{(].*|[<{%].*[>}%)]|%\(?\w{1,40}\)?s?|(.)\1*|(?:your|insert|replace)[-_ a-z]*|(?-i:[A-Z][A-Z0-9_]*_(?:HERE|KEY|TOKEN|SECRET|PASSWORD))|(?:\.{3}|…).*|https?://[^@]*"
    r"|\[redacted\][)\]}.:!?]*)",
    re.IGNORECASE | re.DOTALL,
)
_REFERENCE = re.compile(
    r"[A-Za-z_][A-Za-z_.]{0,80}[(\[]|(?:self|this|os|process|config|settings|env|secrets|args|options|opts|params|request|req"
    r"|context|ctx|client|app|user|vars?|local|module|data|inputs|steps|github|matrix)\."
)
_WORDLIKE = re.compile(r"[(\[{*]*[^\W\d_]+(?:[-_'\u2019/.|:\[\](){}]++[^\W\d_]+)*+[-_'\u2019/.|:\[\](){}!?*]*")
_SAID = word_set(
    "str string int integer bool boolean number float any none null nil true false undefined optional required"
    " object array list dict map bytes text type void unknown invalid missing expired wrong incorrect empty"
    " revoked rejected unset set ok yes no present absent valid hidden masked redacted changed default env"
    " environment prompt ask input file stdin keychain vault inherit auto basic bearer oauth digest jwt saml"
    " secretstr"
)
"""What is said about a secret in its place."""
_SPOKEN = word_set("password passwords passwd pwd passphrase passcode secret kennwort passwort senha")
"""Names of what people make up: it may look like any word."""
_SHORT = 4
_UNSECRET = word_set(
    "sha hash digest integrity checksum md etag commit rev revision ref id ids uuid guid image img data content"
    " src base blob body icon cursor page fingerprint version tag thumbprint crc cid resolved"
)
"""Names of what looks random and is no secret."""


def _without_values(text: str, pattern: re.Pattern[str]) -> str:
    parts: list[str] = []
    copied = seen = 0
    for found in pattern.finditer(text):
        if found.start() < seen:
            continue
        naming = naming_of(found["name"])
        value = (_VALUE if naming is Naming.SECRET else _DRAWN).match(text, found.end())
        if value is None:
            continue
        if naming is Naming.SECRET:
            seen = value.end()  # what was looked at once is not looked at again, or it would take quadratic time
            is_secret = _is_secret(found, value)
        else:
            is_secret = _is_drawn(naming, found, value)
        if is_secret:
            begin, end = value.span(value.lastgroup or 0)
            parts += (text[copied:begin], MASK)
            copied = seen = end
    return "".join((*parts, text[copied:])) if parts else text


def _is_drawn(naming: Naming, found: re.Match[str], value: re.Match[str]) -> bool:
    """Whether a word was drawn by a machine, under a name that does not say that it is a hash, or the like."""
    if naming is Naming.PLAIN and ("=" not in found["sign"] or not _UNSECRET.isdisjoint(words_of(found["name"]))):
        return False
    return looks_random(value["drawn"])


def _is_secret(found: re.Match[str], value: re.Match[str]) -> bool:
    """Whether what stands behind the name of a secret is one, and not words about it."""
    said = value[value.lastgroup or 0]
    if not said or _PLACEHOLDER.fullmatch(said) or said.rstrip(".:!?)]}").lower() in _SAID:
        return False
    if value.lastgroup != "bare":
        return True
    if _REFERENCE.match(said) or words_of(found["name"])[-1:] == words_of(said)[-1:]:
        return False
    is_spoken = not _SPOKEN.isdisjoint(words_of(found["name"]))
    if said.isdigit():
        return is_spoken or len(said) >= _SHORT
    if not _WORDLIKE.fullmatch(said) or (found["sign"] == "=" and not found["space"]):
        return True
    return is_spoken and _ends_line(value)


def _ends_line(value: re.Match[str]) -> bool:
    return value.string[value.end() : value.end() + 1] in ("", "\n", "\r", "\\", ",", ";", '"', "'", "|")


def _authorized(found: re.Match[str]) -> str:
    value = found["value"]
    is_word = _WORDLIKE.fullmatch(value) is not None and (found["next"] or not found["scheme"])
    if is_word or _PLACEHOLDER.fullmatch(value) or value.lower() in _SAID:
        return found[0]
    return f"{found['before']}{MASK}{found['next'] or ''}"


def _borne(found: re.Match[str]) -> str:
    is_word = _WORDLIKE.fullmatch(found[2]) is not None
    return found[0] if is_word else found[1] + MASK


def _held(found: re.Match[str]) -> str:
    is_secret = naming_of(found[2]) is Naming.SECRET and not _PLACEHOLDER.fullmatch(found[3])
    return found[1] + MASK if is_secret else found[0]

"""English words to their stems, by the rules known as Porter2: `connections` and `connecting` meet at `connect`."""

import re
from collections.abc import Mapping

__all__ = ["stem"]

_SHORT = 2
"""Letters of a word that has no ending."""
_REGION = re.compile(r"[aeiouy][^aeiouy]")
_LONG_BEGINNING = re.compile(r"arsen|commun|emerg|gener|inter|later|organ|past|univers")
_CONSONANT_Y = re.compile(r"^y|(?<=[aeiouy])y")
_VOWEL = re.compile(r"[aeiouy]")
_VOWEL_EARLIER = re.compile(r"[aeiouy].+")
_DOUBLE = re.compile(r"(?<!^[aeo])(bb|dd|ff|gg|mm|nn|pp|rr|tt)$")
_SHORT_SYLLABLE = re.compile(r"([^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|past)$")
_DYING = re.compile(r"[^aeiouy]ying")
_FINAL_Y = re.compile(r"(?<=.[^aeiouy])[yY]$")
_LI_FOLLOWS = frozenset("cdeghkmnrt")

_EXCEPTIONS: Mapping[str, str] = {
    "skis": "ski",
    "skies": "sky",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}
_ENDS_AFTER_PLURAL = frozenset(
    {"inning", "outing", "canning", "herring", "earring", "evening", "proceed", "exceed", "succeed"},
)
_PAST = ("eedly", "ingly", "edly", "eed", "ing", "ed")
_DERIVED: Mapping[str, str] = {
    "ization": "ize",
    "ational": "ate",
    "fulness": "ful",
    "ousness": "ous",
    "iveness": "ive",
    "tional": "tion",
    "biliti": "ble",
    "lessli": "less",
    "entli": "ent",
    "ation": "ate",
    "alism": "al",
    "aliti": "al",
    "ousli": "ous",
    "iviti": "ive",
    "fulli": "ful",
    "enci": "ence",
    "anci": "ance",
    "abli": "able",
    "izer": "ize",
    "ator": "ate",
    "alli": "al",
    "ogist": "og",
    "bli": "ble",
    "ogi": "og",
    "li": "",
}
_QUALITY: Mapping[str, str] = {
    "ational": "ate",
    "tional": "tion",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ative": "",
    "ical": "ic",
    "ness": "",
    "ful": "",
}
_REST: Mapping[str, str] = dict.fromkeys(
    (
        *("ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize"),
        *("ion", "al", "er", "ic"),
    ),
    "",
)


def stem(word: str) -> str:
    """The stem of one lowercase word of the letters a to z; two letters and fewer stay as they are."""
    if len(word) <= _SHORT:
        return word
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    if _DYING.fullmatch(word):
        return f"{word[0]}ie"
    marked = _singular(_CONSONANT_Y.sub("Y", word))
    if marked in _ENDS_AFTER_PLURAL:
        return marked
    first, second = _regions(marked)
    marked = _FINAL_Y.sub("i", _present(marked, first))
    marked = _replaced(marked, _DERIVED, first, second)
    marked = _replaced(marked, _QUALITY, first, second)
    marked = _replaced(marked, _REST, second, second)
    return _without_final(marked, first, second).replace("Y", "y")


# ---------------------------------------------------------------------------------------------------------------------


def _regions(word: str) -> tuple[int, int]:
    """Where the parts begin that endings are taken from: after the first syllable, and after the second."""
    beginning = _LONG_BEGINNING.match(word)
    first = beginning.end() if beginning else _after_syllable(word, 0)
    return first, _after_syllable(word, first)


def _after_syllable(word: str, start: int) -> int:
    found = _REGION.search(word, start)
    return found.end() if found else len(word)


def _singular(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-1] if len(word) <= len("ties") else word[:-2]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _VOWEL_EARLIER.search(word[:-1]):
        return word[:-1]
    return word


def _present(word: str, first: int) -> str:
    """The word without -ed, -ing and what they bring with them."""
    ending = next((ending for ending in _PAST if word.endswith(ending)), None)
    if ending is None:
        return word
    root = word[: -len(ending)]
    if ending.startswith("eed"):
        return f"{root}ee" if len(root) >= first else word
    if not _VOWEL.search(root):
        return word
    if root.endswith(("at", "bl", "iz")):
        return f"{root}e"
    if _DOUBLE.search(root):
        return root[:-1]
    return f"{root}e" if first >= len(root) and _SHORT_SYLLABLE.search(root) else root


def _replaced(word: str, endings: Mapping[str, str], region: int, second: int) -> str:
    """The word with its longest ending of these replaced, where that lies in the region and may go."""
    for ending, other in endings.items():
        if word.endswith(ending):
            root = word[: -len(ending)]
            return root + other if len(root) >= region and _may_go(root, ending, second) else word
    return word


def _may_go(root: str, ending: str, second: int) -> bool:
    """The four endings that ask for more than a place."""
    match ending:
        case "li":
            return root[-1:] in _LI_FOLLOWS
        case "ogi":
            return root.endswith("l")
        case "ion":
            return root.endswith(("s", "t"))
        case "ative":
            return len(root) >= second
        case _:
            return True


def _without_final(word: str, first: int, second: int) -> str:
    """The word without a silent e, or the second of two l."""
    last = len(word) - 1
    if word.endswith("e") and (last >= second or (last >= first and not _SHORT_SYLLABLE.search(word[:-1]))):
        return word[:-1]
    return word[:-1] if word.endswith("ll") and last >= second else word

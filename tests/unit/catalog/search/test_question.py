"""What is asked of an index for a question."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from prowess.catalog.search.document import Document
from prowess.catalog.search.port import Asked, Found
from prowess.catalog.search.question import ask, read
from prowess.catalog.search.spelling import near_word


class Known:
    """An index that knows words, and finds nothing."""

    orders_ties = True
    left_over = 0

    def __init__(self, counts: Mapping[str, int], size: int = 100) -> None:
        self.known = counts
        self.size = size

    def counts(self, words: Sequence[str]) -> Sequence[int]:
        return [self.known.get(word, 0) for word in words]

    def frequencies(self, words: Collection[str]) -> Sequence[tuple[str, int]]:
        return [(word, self.known[word]) for word in words if word in self.known]

    def starting_with(self, beginning: str) -> Sequence[tuple[str, int]]:
        return [(word, count) for word, count in self.known.items() if word.startswith(beginning)]

    def near(self, word: str) -> str | None:
        return near_word(word, self)

    def held(self) -> Mapping[int, int]:
        return {}

    def update(self, documents: Iterable[Document], gone: Collection[int]) -> None:
        raise NotImplementedError

    def find(self, asked: Asked) -> Sequence[Found]:
        raise NotImplementedError

    def files(self) -> Iterable[tuple[str, bytes]]:
        return ()

    def close(self) -> None:
        return


def asked(text: str, counts: Mapping[str, int], size: int = 100) -> Asked | None:
    """What is asked for a text of an index that knows these words."""
    return ask(read(text), Known(counts, size), (), 10)


def test_a_question_is_its_words_each_once_without_those_of_asking() -> None:
    """Choice: 'please help me find' says nothing about what is wanted but 'find'."""
    assert read("Please help me find my notes, NOTES on Rust").words == ("find", "note", "rust")
    assert read("please help").words == ("pleas", "help")


def test_only_known_words_are_asked_for() -> None:
    """Spec: an index is asked for what it knows."""
    assert asked("weather in Lisbon", {"weather": 3}) == Asked(("weather",), limit=10)
    assert asked("quantum", {"weather": 3}) is None


def test_stop_words_alone_are_looked_for_in_names() -> None:
    """Choice: an entry may be called `what-is`."""
    assert asked("what is it", {}) == Asked(("what", "is", "it"), only_names=True, limit=10)
    assert asked("", {}) is None


def test_of_a_long_request_the_rarest_words_are_asked_for() -> None:
    """Spec: a long pasted request is cut to its 32 rarest terms, the unknown ones not corrected."""
    counts = {f"w{number:02}": 100 - number for number in range(60)}
    found = asked(f"{' '.join(counts)} calender", {**counts, "calendar": 1})
    assert found is not None
    assert sorted(found.words) == sorted(counts)[28:]
    assert found.meant == ()


def test_a_megabyte_is_read_as_far_as_it_says_something() -> None:
    """Spec: 1 MB gives a sensible answer."""
    assert len(read("weather notes " * 100_000).text) == 65_536
    assert read(f"{'x' * 70_000} weather").words == ()


def test_unknown_words_stand_for_known_ones_near_them() -> None:
    """Spec: fuzzy matching only for words the index does not know."""
    counts = {"calendar": 2, "weather": 5, "notes": 1, "note": 1, "search": 1}
    found = asked("serach my calender weather", counts)
    assert found is not None
    assert found.words == ("weather", "search", "calendar")
    assert found.meant == (("serach", "search"), ("calender", "calendar"))
    assert asked("serach searhc", counts) == Asked(("search",), (("serach", "search"), ("searhc", "search")), limit=10)
    assert asked("search serach", counts) == Asked(("search",), limit=10)


def test_the_stem_of_an_unknown_word_is_compared_too() -> None:
    """Choice: `connectoin` and `conections` have no known word near them but by their stems."""
    assert asked("conections", {"connect": 1}) == Asked(("connect",), (("conections", "connect"),), limit=10)


def test_a_capital_inside_a_sentence_is_somebodys_name() -> None:
    """Choice: Wethers is no slip for weather, while every word of a title has a capital."""
    assert asked("is Wether here", {"weather": 1}) is None
    assert asked("Wether report", {"weather": 1}) is not None
    assert asked("Report Wether", {"weather": 1}) is not None


def test_at_most_three_slips_are_looked_into() -> None:
    """Choice: more unknown words are a text about something else."""
    counts = {"alphabet": 1, "balloons": 1, "calendar": 1, "database": 1}
    found = asked("alphabte baloons calender databse", counts)
    assert found is not None
    assert len(found.meant) == 3


def test_words_that_everybody_has_are_left_out_of_a_question_to_a_large_index() -> None:
    """Spec: two milliseconds among a million: what a fifth has is long to look up, and rarer words say it."""
    rare = {f"r{number}": 5 for number in range(5)}
    counts = {**rare, "use": 30_000}
    text = " ".join(counts)
    assert asked(text, counts, 100_000) == Asked(tuple(rare), limit=10)
    assert asked(text, {**rare, "use": 600}, 2_500) == Asked(tuple(rare), limit=10)
    assert asked(text, {**rare, "use": 400}, 2_500) == Asked(tuple(counts), limit=10)
    assert asked(text, counts, 1_000) == Asked(tuple(counts), limit=10)
    assert asked("use r1", counts, 100_000) == Asked(("use", "r1"), limit=10)

"""The rulebook in force, and those who prepared something by it."""

from typing import Protocol
from weakref import WeakSet

from prowess.governance.rulebook import NO_RULES, Rulebook

__all__ = ["Rules"]


class Prepared(Protocol):
    """Whoever keeps what it worked out by a rulebook."""

    def forget(self) -> None:
        """Work it out anew from now on."""
        ...


class Rules:
    """One project's rulebook. A reload exchanges it whole: a call is judged by the old one or by the new one."""

    def __init__(self) -> None:
        self.book: Rulebook = NO_RULES
        self._users: WeakSet[Prepared] = WeakSet()

    def change(self, book: Rulebook) -> None:
        """Judge by this one from now on."""
        self.book = book
        for user in tuple(self._users):
            user.forget()

    def tell(self, user: Prepared) -> None:
        """Tell somebody of each change, for as long as it lives."""
        self._users.add(user)

"""Which parts of a graph lead back to themselves."""

from collections.abc import Collection, Iterator, Mapping

__all__ = ["on_circles"]


def on_circles(leads: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The nodes that lie on a way from themselves to themselves, given what each leads to. Takes linear time."""
    walk = _Walk(leads)
    for node in leads:
        if node not in walk.numbers:
            walk.go(node)
    return frozenset(walk.found)


# ---------------------------------------------------------------------------------------------------------------------


class _Walk:
    """Tarjan's search for components, without recursion: `lowest` is how far back a node leads."""

    def __init__(self, leads: Mapping[str, Collection[str]]) -> None:
        self.numbers: dict[str, int] = {}
        self.found: list[str] = []
        self._leads = leads
        self._lowest: dict[str, int] = {}
        self._open: dict[str, None] = {}
        self._path: list[tuple[str, Iterator[str]]] = []

    def go(self, start: str) -> None:
        self._enter(start)
        while self._path:
            node, left = self._path[-1]
            to = next(left, None)
            if to is None:
                self._path.pop()
                self._leave(node)
            elif to not in self.numbers:
                self._enter(to)
            elif to in self._open:
                self._lowest[node] = min(self._lowest[node], self.numbers[to])

    def _enter(self, node: str) -> None:
        self.numbers[node] = self._lowest[node] = len(self.numbers)
        self._open[node] = None
        self._path.append((node, iter(self._leads[node])))

    def _leave(self, node: str) -> None:
        if self._path:
            above = self._path[-1][0]
            self._lowest[above] = min(self._lowest[above], self._lowest[node])
        if self._lowest[node] < self.numbers[node]:
            return
        component = [node]
        while (last := self._open.popitem()[0]) != node:
            component.append(last)
        if len(component) > 1 or node in self._leads[node]:
            self.found += component

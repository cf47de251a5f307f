"""Skills with builtin annotations."""

from prowess import op, skill


@op
async def look_up(query: str, limit: int = 10) -> list[str]:
    """Look a query up.

    Args:
        query: Words to look for.
        limit: How many to give.
    """
    return [query] * min(limit, 3)


@skill
async def greet(name: str, times: int = 1) -> str:
    """Greet somebody. Use when the user wants a greeting."""
    return " ".join(["Hello", name] * times)

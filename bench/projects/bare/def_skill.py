"""One file without a project, and a plain function in it: what a newcomer writes first."""

from prowess import skill


@skill
def greet(name: str, times: int = 1) -> str:
    """Greet somebody. Use when the user wants a greeting."""
    return " ".join([f"Hello {name}"] * times)

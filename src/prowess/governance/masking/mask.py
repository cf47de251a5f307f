"""What stands in the place of a secret."""

__all__ = ["MASK"]

MASK = "[redacted]"

"""All that the author of a skill imports."""

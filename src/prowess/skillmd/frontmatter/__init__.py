"""The front matter of a SKILL.md: where it begins and ends, and its fields, mended where they are no YAML."""

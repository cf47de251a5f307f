"""The rule sets that a SKILL.md can be held against: the standard, a stricter one, and what each client takes."""

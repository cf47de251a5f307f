"""A page for each problem that a SKILL.md can have: a skill that has it, one that has not, and their test."""

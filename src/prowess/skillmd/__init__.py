"""SKILL.md: its text to a document and a list of problems, and back."""

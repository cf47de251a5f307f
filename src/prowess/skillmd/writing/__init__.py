"""SKILL.md files written: whole ones, one changed field of one, and repairs that touch nothing else."""

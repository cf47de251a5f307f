"""Packages on disk: where they may be, which there are, and which of two with one name counts."""

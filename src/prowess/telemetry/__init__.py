"""Readers of events: what was told once becomes records."""

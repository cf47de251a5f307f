"""Ratios to a bare limit, measured in the same run: `make bench`."""

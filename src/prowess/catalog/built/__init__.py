"""A whole catalogue in one file, which many machines serve alike."""

"""Registry documents of a project: read from disk, checked as a whole, and entered in one step."""

"""What bytes a package consists of, written down in a lock file, and trusted by a person."""

"""What documents say about each other: targets, rights, bindings."""

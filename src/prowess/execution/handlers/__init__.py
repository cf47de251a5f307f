"""A handler under way: what it sees of its call, its thread, its deadline."""

"""Finding sources, and the index that remembers what they held."""

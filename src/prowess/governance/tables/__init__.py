"""`policy.toml`: the whole, its tables, and where in the file something stands."""

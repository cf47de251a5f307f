"""The tables of `policy.toml`: what may stand in each, and where in the file."""

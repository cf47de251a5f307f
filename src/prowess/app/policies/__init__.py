"""What a project lays down in `policy.toml`: opened for its registry, and tried out on calls that nobody makes."""

"""How secrets are told from ordinary values: by their path, by the name they stand under, by their shape."""

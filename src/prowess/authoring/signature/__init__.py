"""What a function's signature says of its entry: how it runs, what it takes, what it gives."""

"""Two schemas beside each other, and two generations of documents."""

"""Finding entries by what somebody wants done: documents, questions, and the port to an index of them."""

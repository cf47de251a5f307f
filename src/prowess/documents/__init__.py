"""Registry documents: text of skill, op, capability and overlay documents to entries, or to a list of every problem."""

"""Who may do what: pure verdicts over facts, without clock, disk or network."""

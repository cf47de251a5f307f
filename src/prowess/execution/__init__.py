"""The gate, and what carries a call out in memory."""

"""The ports of records: proposals, rates, the audit trail, each suite on every adapter."""

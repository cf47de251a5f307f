"""Approvals and the audit trail as people and programs reach them, on the store that the settings name."""

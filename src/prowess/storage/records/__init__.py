"""What several processes write and read together: proposals, rates, the audit trail."""

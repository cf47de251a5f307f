"""Names and version ranges to recipes; scopes keep the instances that recipes make."""

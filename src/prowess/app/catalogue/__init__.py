"""What a registry offers besides its entries: how they are found and searched, and how packages are disclosed."""

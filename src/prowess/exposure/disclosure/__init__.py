"""Three tiers in which a model learns of packages: what there is, how to use one, and what one brings along."""

"""Python annotations as JSON Schemas, and the way from JSON back to what they say."""

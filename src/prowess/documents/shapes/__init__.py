"""What documents may say, as Pydantic models: the one place where Pydantic is imported."""

"""JSON Schemas read, measured, compiled and explained, in bounded time whatever the schema and the value."""

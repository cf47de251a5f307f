"""The door of the server: whose requests come in, from where, and within what time."""

"""The packages of a registry: found in folders and archives, opened when somebody activates one, built into a file."""

"""What outlives a process: adapters that keep on disk what the core asks to be kept."""

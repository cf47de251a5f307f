"""What the operating system offers to keep code and files apart, strongest first."""

"""One module for each part of the product that has a figure."""

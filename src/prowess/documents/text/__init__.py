"""The text of documents: to plain values, with the line of each, within bounds."""

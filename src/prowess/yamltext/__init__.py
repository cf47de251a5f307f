"""The one reader of YAML: text to a tree of nodes, each scalar as its author wrote it, within bounds."""

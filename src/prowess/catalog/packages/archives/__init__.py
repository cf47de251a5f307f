"""Packages in a zip or tar archive, unpacked into a folder that is named by the archive's bytes."""

"""Policy packs in languages that others define: one file each, behind the core's port `PolicyPack`."""

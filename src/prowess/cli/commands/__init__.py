"""One file for each command, imported only when its command is given.

A command module has `NAME`, `HELP` (its line in `prowess --help`, the same as in `prowess.cli.main`),
`add_arguments(parser)` and `run(arguments)`, which gives the exit code.
"""

"""What ``cardshoe floor`` does; the program finds it by name (``table.cli.group``)."""

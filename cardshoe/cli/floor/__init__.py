"""What ``cardshoe floor`` does; the program finds it by name (``cardshoe.cli.group``)."""

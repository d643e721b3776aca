"""Where the exhaustive walk of each game begins, asks and must have been."""

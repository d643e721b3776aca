"""What the tests know of each game, written by hand from its regulation; nothing here asks the package."""

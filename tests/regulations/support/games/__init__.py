"""The games as the tests know them, written by hand from the regulations; nothing here asks the package."""

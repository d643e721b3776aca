"""A sixth game, from outside the package, through everything."""

"""The tests: one folder per package, and contract/ scenarios/ vectors/ property/ and others that cross them."""

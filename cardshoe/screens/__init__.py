"""A table on a screen: state, felt, roads, words."""

"""A table on a screen: how it stands, its felt, its roads, its words."""

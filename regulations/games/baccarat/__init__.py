"""Baccarat by 55/2004 as amended by 73/2005."""

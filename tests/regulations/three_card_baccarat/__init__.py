"""Three-card baccarat beyond the cases: the annex, properties."""

"""A whole floor for a demonstration: PostgreSQL, the collector, and tables that play and deliver in a few processes."""

"""The floor: collects all tables' logs in PostgreSQL (`docs/floor.md`)."""

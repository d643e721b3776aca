"""The floor: collects all tables' logs in PostgreSQL (`docs/floor.md`).

`landing` stores batches, `reading` answers queries, `server` is the process. No imports from a running table.
"""

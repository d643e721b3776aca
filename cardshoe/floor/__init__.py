"""The floor: collects all tables' logs in PostgreSQL (`docs/floor.md`).

`ingest` stores batches, `read_api` answers queries, `server` is the process. No imports from a running table.
"""

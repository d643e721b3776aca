"""The floor: the collector of all tables' logs, on PostgreSQL (`docs/floor.md`). It imports nothing of a table at work.

`landing` stores what tables send, `reading` answers who looks, `server` is the process.
"""

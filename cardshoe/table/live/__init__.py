"""The Unix socket of a running table (`docs/live.md`)."""

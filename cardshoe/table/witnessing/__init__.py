"""Witnesses of the journal: where signed notes go, and the service that keeps them on another machine."""

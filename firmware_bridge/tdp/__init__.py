"""The bridge between a table and a device that speaks TDP."""

"""The live watch of shuffles: a process beside the collector."""

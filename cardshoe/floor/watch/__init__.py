"""The live watch of shuffles: a process beside the collector; surveillance alone reads what it finds."""

"""Tests of the simulator. Nothing here waits by sleeping: virtual time, or a condition with a timeout."""

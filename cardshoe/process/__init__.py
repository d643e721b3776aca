"""The parts of every process of ours."""

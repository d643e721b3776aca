"""The parts of every process of ours: its clock, its garbage collector, its signals, its exits."""

"""What every process of ours needs of itself: its clock, its garbage collector, its signals, how it exits."""

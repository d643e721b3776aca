"""The reference shoe in C (``reference/shoe``), held to the vectors and the suite of TDP."""

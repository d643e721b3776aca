"""HTTP servers of ours: bounds, TLS, guard, problems, streams."""

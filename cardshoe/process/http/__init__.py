"""HTTP servers: limits, TLS, guard, problems, streams."""

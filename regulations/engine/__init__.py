"""Rule tables and what runs them: for the law's machines and for a firmware update alike; imports nothing of ours."""

"""Reading and verifying journals."""

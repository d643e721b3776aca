"""Staff, their PINs, roles and sessions."""

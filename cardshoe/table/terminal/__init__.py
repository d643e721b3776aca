"""The terminal of a technician: screen and keyboard."""

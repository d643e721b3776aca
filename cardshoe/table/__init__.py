"""A running table: log, live socket, display, terminal, uplink, setup."""

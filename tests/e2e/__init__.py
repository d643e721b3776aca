"""The croupier's page in a real browser, by touches alone, at a real table."""

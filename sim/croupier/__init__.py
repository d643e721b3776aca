"""A simulated croupier: follows the table's prompts and makes mistakes at a rate."""

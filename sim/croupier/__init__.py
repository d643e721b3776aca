"""A simulated croupier: follows the table's prompts alone and makes mistakes at a given rate."""

"""The state that the machines of one table share."""

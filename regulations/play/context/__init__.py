"""What the machines of one table share."""

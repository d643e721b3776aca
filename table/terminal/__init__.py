"""What a technician sees and types."""

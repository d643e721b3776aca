"""Q poker by 89/2004."""

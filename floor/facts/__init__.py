"""What the lines of all tables tell, as rows that pages can ask for; made from `events`, and made anew at will."""

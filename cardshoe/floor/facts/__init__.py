"""Facts from the lines of all tables, as rows that pages can query."""

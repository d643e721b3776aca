"""Facts from the lines of all tables, as rows that pages can query.

Made from `events`; can be rebuilt at any time.
"""

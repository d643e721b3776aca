"""Facts of all tables, as rows for pages.

Made from `events`; can be rebuilt at any time.
"""

"""``cardshoe doctor``: looks at everything that must be well before a table opens, and says what to do where it is not.

Each module looks at one thing and gives findings; ``checkup`` asks them all. Nothing is changed, and no device is
opened unless somebody asks to listen.
"""

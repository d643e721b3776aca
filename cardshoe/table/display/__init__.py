"""The pages and the interface of a table: a process of its own, which looks at the live socket and has no key.

Whatever it shows, the durable lines say. It may die at any time: the deal does not notice.
"""

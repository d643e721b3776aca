"""The pages and the interface of a table: a process of its own, which looks at the live socket and has no key."""

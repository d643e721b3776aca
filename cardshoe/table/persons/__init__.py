"""Who may say what at a table: persons with PINs, their sessions, permissions and proposals (`docs/persons.md`).

`desk` is what the table's process asks; terminal and live socket only carry what persons say to it.
"""

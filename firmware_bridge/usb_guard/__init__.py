"""The USB guard: allow card devices at the table and block changed ones.

A card device that is a disk, keyboard or network card as well has been tampered with.
"""

"""The persons of the house: their list, which is signed for the tables, and who of them is signed in at the floor.

`roll` is the list, `handing` gives each table its own, `visiting` is the sign-in at the interface for whoever looks.
"""

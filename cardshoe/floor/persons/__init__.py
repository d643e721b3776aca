"""The persons of the house: their list, which is signed for the tables, and who of them is signed in at the floor."""

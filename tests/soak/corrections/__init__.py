"""Random rounds with corrections, each compared with a fresh table that is dealt the corrected order (reading G11)."""

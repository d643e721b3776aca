"""The pages of the floor: all tables, one table, irregularities, plots, the day report."""

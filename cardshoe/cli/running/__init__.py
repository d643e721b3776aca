"""The parts of a running table that ``cardshoe run`` puts together."""

"""The regulation as the machine holds it, for people and programs: ``cardshoe rules``."""

"""The form in which journals are delivered to a floor."""

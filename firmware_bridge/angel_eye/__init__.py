"""The session of an Angel Eye shoe: from its telegrams to the table's events, and the way back through the interlock."""

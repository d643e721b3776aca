"""The event vocabulary of the table log, as tagged structs."""

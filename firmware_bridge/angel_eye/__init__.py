"""The bridge between a table and an Angel Eye shoe."""

"""The bridge between a table and an Angel Eye shoe: telegrams become events, commands pass the interlock."""

"""Reports to a SIEM: alarms, and the lines of tables that surveillance wants, as JSON Lines or syslog."""

"""Reports to a SIEM: alarms and selected lines, as JSON Lines or syslog."""

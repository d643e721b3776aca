"""Reports to a SIEM: alarms and selected lines."""

"""The tools of tests of several packages: a table as process or in this one, its dealer, wires, USB, certificates.

- A table: `command` (the process that one talks to), `running_table`, `live_table` (in this process), `opening` (to the
  first round), `dealer`, `shoe` (the far end of its line), `sealed` (the cards that its journal hides), `table_log` (a
  profile with inputs), `desk` (a controller with a device at no line), `judged_table`, `house` (with a site).
- Lines and buses: `far_ends`, `pipe_wire`, `line_faults`, `usb_attached`, `usb_backend`.
- Time: `waiting` (for a condition), `length` (short and in full), `certificates`.
"""

"""The bridge between a table and a device that speaks TDP.

``session`` judges which events are new and what the device says of itself, ``translation`` turns each into events of
the table log, ``command_sender`` sends what the table calls for, ``bridge`` joins them to the driver.
"""

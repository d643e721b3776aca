"""The bridge between a table and a device that speaks TDP.

``session`` judges which events are new and what the device says of itself, ``translation`` turns each into events of
the table log, ``orders`` knows what the device was told to give out, ``bridge`` joins them to the driver.
"""

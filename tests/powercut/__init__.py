"""Power cuts and kills: what is on the disk after the machine stops, at every point of a table's life."""

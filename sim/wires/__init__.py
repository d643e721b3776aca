"""Lines between a simulated device and the host, at the device's end."""

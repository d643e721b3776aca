"""The firmware side of a simulated device: flash, slots, boot loader, update over SMP."""

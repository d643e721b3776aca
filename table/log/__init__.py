"""The table log: written, sealed, signed, verified, taken up again, brought in and laid away."""

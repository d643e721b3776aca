"""The table log: written, sealed, signed, verified, resumed, brought in and laid away."""

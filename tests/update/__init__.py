"""The harnesses of firmware and its update: what is altered, and where the power is cut."""

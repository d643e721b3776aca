"""The form of a regulation: options, articles, rows, payouts, readings, guide."""

"""What a regulation is: options, articles, rows, payouts, readings, guide; no table and no round."""

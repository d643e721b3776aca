"""Three-card baccarat («3 — Card Baccarat Game») by 22/96/M with 219/96/M."""

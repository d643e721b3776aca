"""The law: cards, table profile, events, the shoe game and the games' rounds."""

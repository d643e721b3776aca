"""Casino war («Desafio ao Casino») by 74/2005."""

"""Update, and its harnesses: what is altered (`packages`, `hostile`), and where power and host are cut (`__main__`)."""

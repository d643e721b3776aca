"""The Debian package and `make install`: in short what they hold; in full on a bare Debian (`make package-test`)."""

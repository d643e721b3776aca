"""A table as a service: manager reports, and choice of builds."""

"""A table as a service: reports to its manager, and the choice of builds."""

"""The application: controller, journal, command line."""

"""The Flask application, its pages, and the process that serves them."""

"""The Flask application factory, and what serves it."""

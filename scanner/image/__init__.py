"""Image files to grey pixels."""

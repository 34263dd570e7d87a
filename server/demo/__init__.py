"""The demo: an ordinary server with seeded games and a landing page."""

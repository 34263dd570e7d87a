"""The demo: two games to try everything with, and made-up photographs of their cards. No real game needs it."""

"""The Flask application factory, and what serves it."""

from server.app.config import AppConfig
from server.app.factory import create_app

__all__ = ["AppConfig", "create_app"]

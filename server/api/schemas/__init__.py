"""Request and response forms that several resources share."""

"""Endpoints of organisers, one module a resource."""

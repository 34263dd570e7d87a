"""Photographs: upload, scan queue, scanning, retention."""

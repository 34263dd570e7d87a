"""Finds and reads QR codes in an image, and says which card each is."""

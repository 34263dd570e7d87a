"""Hundreds of pictures of envelopes at once, sent to a real server and read by its workers."""

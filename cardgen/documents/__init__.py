"""Printed documents other than card sheets, such as labels, stickers, lists and results."""

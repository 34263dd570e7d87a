"""Printed documents other than card sheets: labels, stickers, lists, results."""

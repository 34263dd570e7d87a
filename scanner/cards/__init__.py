"""Cards of a photograph that were not read: how many, where, and why.

A card is named if a doubt outlines it; otherwise it is missed silently.
"""

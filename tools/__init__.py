"""Tools of the checkout. What `./haggle` does before the product can run lies in `launch` and what that imports.

That part has the standard library only, and Python 3.9: nothing is installed yet.
"""

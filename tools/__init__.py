"""Tools of the checkout. `launch` and its imports do what is needed before the product can run.

That part has the standard library only, and Python 3.9: nothing is installed yet.
"""

"""Tools of the checkout: `./haggle` runs `launch` before the product can run.

`launch` and all that it imports use only the standard library and run on Python 3.9, since nothing is installed yet.
"""

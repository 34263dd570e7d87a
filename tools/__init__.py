"""What `./haggle` does before the product can run. Standard library only, and Python 3.9: nothing is installed yet."""

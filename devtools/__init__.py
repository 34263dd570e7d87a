"""Tools for developers: they use the product; the product never uses them."""

"""Benchmarks of Haggle beside its peers. They use the product; the product never uses them."""

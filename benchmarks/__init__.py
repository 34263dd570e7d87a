"""Benchmarks of Haggle and of other readers. They use the product; the product never uses them."""

"""Proofs of the best deck by a solver: rules that are data become constraints of CP-SAT (the extra `prove`)."""

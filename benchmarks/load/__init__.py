"""The rush before a deadline: a load test with Locust, and the invariants that are checked after it."""

"""Examples of rules: the smallest decks on either side of each boundary, which show an author what a rule does."""

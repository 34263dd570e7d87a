"""What is printed: codes, faces, sheets and labels. README.md says what belongs where."""

"""What is printed: codes, faces, sheets and labels."""

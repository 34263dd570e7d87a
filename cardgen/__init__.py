"""Everything that is printed: codes, faces, sheets and other documents."""

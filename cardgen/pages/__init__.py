"""Pages: paper, layout, margins, sheets and images."""

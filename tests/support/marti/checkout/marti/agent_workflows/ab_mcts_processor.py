"""Stand-in: only its place counts."""

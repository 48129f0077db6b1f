"""Finding texts for a question: by words, by vectors, and both together."""

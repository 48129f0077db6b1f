"""From any file to documents, chunks and sentences."""

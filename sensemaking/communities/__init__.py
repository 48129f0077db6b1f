"""Algorithms that fold a knowledge graph into a hierarchy of communities, one family a file."""

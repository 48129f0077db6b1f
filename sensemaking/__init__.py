"""Sensemaking: understand a body of documents as a whole, with every sentence sourced."""

__version__ = "0.1.0"

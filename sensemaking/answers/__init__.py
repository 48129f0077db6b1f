"""From reports to a sourced answer: selection, map-reduce, provenance."""

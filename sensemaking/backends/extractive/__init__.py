"""Language work without a language model: selection, statistics and quotation."""

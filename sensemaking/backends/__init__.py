"""Who does the language work: one package per backend, one small file per task."""

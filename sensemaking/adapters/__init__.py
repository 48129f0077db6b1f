"""The outside world: the store, vectors, tokenizers, embeddings, executors."""

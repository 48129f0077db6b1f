"""Which answer is better, by how much, and how sure: the pure parts of an evaluation.

Records come in, records go out; nothing here asks a model or touches a store.
"""

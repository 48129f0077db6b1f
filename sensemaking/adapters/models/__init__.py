"""Language models behind endpoints: one gate, one meter, one cache for all calls.

`factory` makes the models of all roles; `settings_file` finds out which they are; `checking` tries
them. Nothing here loads a client library before the first call.
"""

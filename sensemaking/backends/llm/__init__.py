"""Language work by a language model: one file per task, all through the `ChatModel` port."""

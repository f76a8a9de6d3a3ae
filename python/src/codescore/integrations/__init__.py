"""codescore inside other evaluation and training libraries: one module per library, imported by users of that library."""

"""codescore where evaluations and training already run: a module a library, loaded by whoever has the library."""

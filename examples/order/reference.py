def best_first(scores: list[tuple[str, int]]) -> list[str]:
    """The names of `(name, score)` pairs, the highest score first; of equals by name."""
    ordered = sorted(scores, key=lambda pair: (-pair[1], pair[0]))
    return [name for name, _ in ordered]

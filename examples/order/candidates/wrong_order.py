def best_first(scores: list[tuple[str, int]]) -> list[str]:
    ordered = sorted(scores, key=lambda pair: (pair[0], -pair[1]))
    return [name for name, _ in ordered]

def best_first(scores: list) -> list:
    ordered = sorted(scores, key=lambda pair: (pair[1], pair[0]))
    return [name for name, _ in ordered]

def best_first(pairs):
    names = []
    left = list(pairs)
    while left:
        top = left[0]
        for pair in left[1:]:
            if pair[1] > top[1] or (pair[1] == top[1] and pair[0] < top[0]):
                top = pair
        left.remove(top)
        names.append(top[0])
    return names

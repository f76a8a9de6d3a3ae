def mean_of_positive(numbers):
    total, count = 0, 0
    for x in numbers:
        if x > 0:
            total += x
            count += 1
    return total / count

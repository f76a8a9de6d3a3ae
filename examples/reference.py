def mean_of_positive(numbers):
    """The mean of the positive numbers; 0 when there are none."""
    positive = [x for x in numbers if x > 0]
    if not positive:
        return 0
    return sum(positive) / len(positive)

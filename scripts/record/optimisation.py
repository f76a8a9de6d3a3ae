"""Records the results of PyTorch and TensorFlow for losses, rates and averages:
python scripts/record/optimisation.py > test/fixtures/optimisation.json

Needs torch (2.13) and tensorflow (2.21).
"""

import json
import math

import tensorflow as tf
import torch
import torch.nn.functional as F

ROWS = {
    "score_logit": [0.7, -1.2, 2.4, 0.1, -0.6, 1.9],
    "exec_logit": [1.3, -0.4, 3.0, -2.2, 0.2, -5.0],
    "pass_ratio": [1.0, 0.25, 0.6, 0.0, 0.55, 0.95],
    "executable": [1, 0, 1, 0, 1, 1],
    "weight": [1.0, 0.5, 2.0, 0.25, 1.0, 3.0],
    "task": ["a", "a", "a", "b", "b", "a"],
}
SMOOTHING, MARGIN = 0.1, 0.3


def losses():
    s = torch.tensor(ROWS["score_logit"], requires_grad=True)
    e = torch.tensor(ROWS["exec_logit"], requires_grad=True)
    y, x, w = (torch.tensor(ROWS[key], dtype=torch.float32) for key in ("pass_ratio", "executable", "weight"))
    n = len(y)
    bce = F.binary_cross_entropy_with_logits(s, y, weight=w)
    # PyTorch's label smoothing, for a classifier with the logits 0 and z.
    two = torch.stack([torch.zeros_like(e), e], 1)
    smooth = (w * F.cross_entropy(two, x.long(), label_smoothing=SMOOTHING, reduction="none")).mean()
    # RankNet: cross-entropy of the difference of scores to "the first is better".
    pairs = [
        (i, j)
        for i in range(n)
        for j in range(n)
        if ROWS["task"][i] == ROWS["task"][j] and ROWS["pass_ratio"][i] - ROWS["pass_ratio"][j] >= MARGIN - 1e-9
    ]
    first, second = torch.tensor(pairs).T
    ranking = (
        w[first] * w[second]
        * F.binary_cross_entropy_with_logits(s[first] - s[second], torch.ones(len(pairs)), reduction="none")
    ).mean()
    (ranking_gradient,) = torch.autograd.grad(ranking, s)
    return {
        "bce": bce.item(),
        "smoothed_exec": smooth.item(),
        "pairs": pairs,
        "ranking": ranking.item(),
        "ranking_gradient": ranking_gradient.tolist(),
    }


def schedules(total=20, warm=5):
    """The rate of each step, from torch's schedulers. Our n-th step corresponds to their state after n steps."""

    def run(after):
        optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        warmup = torch.optim.lr_scheduler.LinearLR(optimizer, 1e-12, 1.0, warm)
        scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [warmup, after(optimizer)], [warm])
        rates = []
        for _ in range(total):
            optimizer.step()
            scheduler.step()
            rates.append(optimizer.param_groups[0]["lr"])
        return rates

    lr = torch.optim.lr_scheduler
    return {
        "total": total,
        "warm": warm,
        "cosine": run(lambda o: lr.CosineAnnealingLR(o, total - warm)),
        "linear": run(lambda o: lr.LinearLR(o, 1.0, 0.0, total - warm)),
        "constant": run(lambda o: lr.ConstantLR(o, 1.0, 1)),
    }


def plateau(patience=2):
    values = [0.1, 0.3, 0.2, 0.3, 0.1, 0.1, 0.35, math.nan, 0.34, 0.2, 0.1, 0.4, 0.4]
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(
        optimizer, mode="max", factor=0.5, patience=patience - 1, threshold=0
    )
    rates = []
    for value in values:
        scheduler.step(value)
        rates.append(optimizer.param_groups[0]["lr"])
    return {"patience": patience, "values": [None if math.isnan(v) else v for v in values], "rates": rates}


def layer_mask():
    scalars = torch.tensor([0.3, -0.2, 0.9, 0.1], requires_grad=True)
    keep = torch.tensor([1.0, 0.0, 1.0, 0.0])
    weights = torch.softmax(torch.where(keep > 0, scalars, torch.full((4,), -1e20)), 0)
    (gradient,) = torch.autograd.grad((weights * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum(), scalars)
    return {
        "scalars": scalars.tolist(),
        "keep": keep.tolist(),
        "weights": weights.tolist(),
        "gradient": gradient.tolist(),
    }


def groups(lr=0.01, head=0.05, decay=0.9, layers=3, frozen=3, steps=6):
    """AdamW with COMET's rates; the encoder is frozen for `frozen` steps. Every gradient is the parameter itself."""
    rates = {
        "embeddings.word_embeddings.weight": lr * decay ** (layers + 1),
        "encoder.layer.0.output.dense.weight": lr * decay**2,
        "encoder.layer.1.output.dense.weight": lr * decay,
        "encoder.layer.2.output.dense.weight": lr,
        "unice.scalars": head,
        "unice.head.0.weight": head,
        "unice.part.weight": head,
    }
    parameters = {name: torch.nn.Parameter(torch.linspace(-1, 1, 5) + 0.1 * i) for i, name in enumerate(rates)}
    optimizer = torch.optim.AdamW(
        [{"params": [parameters[name]], "lr": rate} for name, rate in rates.items()], weight_decay=0.02
    )
    for step in range(steps):
        for name, parameter in parameters.items():
            moves = step >= frozen or name in ("unice.scalars", "unice.head.0.weight")
            parameter.grad = parameter.detach().clone() if moves else None
        optimizer.step()
    return {
        "lr": lr,
        "head": head,
        "decay": decay,
        "layers": layers,
        "frozen": frozen,
        "steps": steps,
        "parameters": {name: parameter.tolist() for name, parameter in parameters.items()},
    }


def ema(decay=0.6):
    values = [[1.0, -2.0], [1.5, -1.0], [4.0, 0.5], [-3.0, 0.25], [0.0, 0.0], [2.0, 2.0], [5.0, 1.0], [5.0, 3.0]]
    variable = tf.Variable(values[0])
    averages = []
    first = tf.train.ExponentialMovingAverage(decay, num_updates=0)
    first.apply([variable])
    for t, value in enumerate(values[1:], 1):
        variable.assign(value)
        # The number of updates is fixed when an average is created, so each step creates a new one and passes the shadow on.
        step = tf.train.ExponentialMovingAverage(decay, num_updates=t)
        shadow = tf.Variable(first.average(variable) if t == 1 else averages[-1])
        step._averages[variable.ref()] = shadow
        step.apply([variable])
        averages.append(step.average(variable).numpy().tolist())
    return {"decay": decay, "values": values, "averages": averages}


print(
    json.dumps(
        {
            "rows": ROWS,
            "smoothing": SMOOTHING,
            "margin": MARGIN,
            "losses": losses(),
            "schedules": schedules(),
            "plateau": plateau(),
            "layer_mask": layer_mask(),
            "groups": groups(),
            "ema": ema(),
        },
        indent=1,
    )
)

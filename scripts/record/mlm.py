"""Records the results of PyTorch for a masked language model: python scripts/record/mlm.py > test/fixtures/mlm/expected.json

The encoder is test/fixtures/unixcoder-tiny. RoBERTa and its head are implemented here with torch.nn.functional, so that
they are independent of this project. Needs torch.
"""

import json
import math
import pathlib

import torch
import torch.nn.functional as F

ROOT = pathlib.Path(__file__).resolve().parents[2] / "test" / "fixtures" / "unixcoder-tiny"
CONFIG = json.loads((ROOT / "config.json").read_text())
H, V, EPS = CONFIG["hidden_size"], CONFIG["vocab_size"], CONFIG["layer_norm_eps"]
PAD, START, END, MASK = 1, 0, 2, 4


def encoder(p, ids):
    mask = (ids != PAD).float()
    positions = (mask.cumsum(1) * mask).long() + PAD
    x = F.embedding(ids, p["embeddings.word_embeddings.weight"])
    x = x + F.embedding(positions, p["embeddings.position_embeddings.weight"])
    x = x + p["embeddings.token_type_embeddings.weight"][0]
    x = norm(p, x, "embeddings.LayerNorm")
    heads = CONFIG["num_attention_heads"]
    for i in range(CONFIG["num_hidden_layers"]):
        at = f"encoder.layer.{i}"
        q, k, v = (
            linear(p, x, f"{at}.attention.self.{kind}").unflatten(-1, (heads, -1)).transpose(1, 2)
            for kind in ("query", "key", "value")
        )
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=(mask > 0)[:, None, None, :])
        y = linear(p, y.transpose(1, 2).flatten(2), f"{at}.attention.output.dense")
        x = norm(p, x + y, f"{at}.attention.output.LayerNorm")
        y = linear(p, F.gelu(linear(p, x, f"{at}.intermediate.dense")), f"{at}.output.dense")
        x = norm(p, x + y, f"{at}.output.LayerNorm")
    return x


def linear(p, x, name):
    return F.linear(x, p[f"{name}.weight"], p[f"{name}.bias"])


def norm(p, x, name):
    return F.layer_norm(x, (H,), p[f"{name}.weight"], p[f"{name}.bias"], EPS)


def rounded(tensor):
    return [float(f"{value:.8g}") for value in tensor.flatten().tolist()]


torch.manual_seed(0)
weights = {k: v for k, v in torch.load(ROOT / "pytorch_model.bin").items() if not k.startswith("pooler.")}
head = {
    "lm_head.dense.weight": torch.randn(H, H) / math.sqrt(H),
    "lm_head.dense.bias": torch.randn(H) / 10,
    "lm_head.layer_norm.weight": 1 + torch.randn(H) / 10,
    "lm_head.layer_norm.bias": torch.randn(H) / 10,
    "lm_head.bias": torch.randn(V) / 10,
}
parameters = {name: value.clone().requires_grad_() for name, value in (weights | head).items()}

# Two rows, the second shorter and with a second part. The original tokens of the masked places are random too.
rows = []
for length, second in ((21, None), (16, 9)):
    row = torch.randint(5, V, (length,))
    row[0], row[-1] = START, END
    if second is not None:
        row[second] = END
    rows.append(F.pad(row, (0, 21 - length), value=PAD))
ids = torch.stack(rows)
positions = torch.tensor([2, 7, 15, 21 + 3, 21 + 12])
targets = ids.flatten()[positions]
ids.view(-1)[positions[:4]] = torch.tensor([MASK, MASK, 77, MASK])  # the fifth keeps its token

states = encoder(parameters, ids).reshape(-1, H)[positions]
features = norm(parameters, F.gelu(linear(parameters, states, "lm_head.dense")), "lm_head.layer_norm")
logits = F.linear(features, parameters["embeddings.word_embeddings.weight"], parameters["lm_head.bias"])
loss = F.cross_entropy(logits, targets)
loss.backward()

print(
    json.dumps(
        {
            "head": {name: {"shape": list(value.shape), "data": rounded(value)} for name, value in head.items()},
            "ids": ids.tolist(),
            "positions": positions.tolist(),
            "targets": targets.tolist(),
            "logits": [rounded(row) for row in logits],
            "loss": loss.item(),
            # For each gradient: its norm and its product with sin(1), sin(2), ... No two tensors agree in both.
            "gradients": {
                name: [
                    value.grad.norm().item(),
                    (value.grad.flatten().double() @ torch.sin(torch.arange(1, value.numel() + 1).double())).item(),
                ]
                for name, value in parameters.items()
            },
        }
    )
)

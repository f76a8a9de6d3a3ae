"""Runs training steps of UniCE's shape in eager PyTorch, as fast as possible, for comparison with a box's engine.

usage: torch_peer.py '{"layers": 6, "hidden": 384, "heads": 6, "ffn": 1536, "vocab": 16000, "headSizes": [1024, 512],
                       "passes": [[16, 256], [16, 512]], "seconds": 10}'
A step is a forward and a backward pass over each of `passes` ([rows, tokens]), and one AdamW update. Prints JSON: tokens per
second, and GFLOP/s of a square matrix product, in float32, in TF32 (on a GPU) and with bfloat16 autocast. Exits with 3 if
torch is not installed.
"""

import json
import sys
import time

try:
    import torch
except ImportError:
    sys.exit(3)
from torch import nn
from torch.nn import functional as F

shape = json.loads(sys.argv[1])
width, heads = shape["hidden"], shape["heads"]
device = "cuda" if torch.cuda.is_available() else "cpu"


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out, self.norm = nn.Linear(width, 3 * width), nn.Linear(width, width), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, shape["ffn"]), nn.Linear(shape["ffn"], width)
        self.last_norm = nn.LayerNorm(width)

    def forward(self, x):
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(rows, length, width)
        x = self.norm(x + self.out(attended))
        return self.last_norm(x + self.down(F.gelu(self.up(x))))


class UniCE(nn.Module):
    def __init__(self):
        super().__init__()
        longest = max(length for _, length in shape["passes"])
        self.tokens, self.positions = nn.Embedding(shape["vocab"], width), nn.Embedding(longest, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer() for _ in range(shape["layers"]))
        self.mix = nn.Parameter(torch.zeros(shape["layers"] + 1))
        sizes = [width, *shape["headSizes"]]
        hidden = [part for a, b in zip(sizes, sizes[1:]) for part in (nn.Linear(a, b), nn.Tanh())]
        self.head = nn.Sequential(*hidden, nn.Linear(sizes[-1], 2))

    def forward(self, ids):
        x = self.norm(self.tokens(ids) + self.positions.weight[: ids.shape[1]])
        first = [x[:, 0]]
        for layer in self.layers:
            x = layer(x)
            first.append(x[:, 0])
        return self.head(torch.softmax(self.mix, 0) @ torch.stack(first, 1))


model = UniCE().to(device)
optimizer = torch.optim.AdamW(model.parameters(), 1e-4)


def step():
    """Makes one step. Reads the loss, as our own steps do."""
    total = 0.0
    for rows, length in shape["passes"]:
        output = model(torch.randint(0, shape["vocab"], (rows, length), device=device)).float()
        wanted = torch.rand(rows, 2, device=device)
        squared = ((torch.sigmoid(output[:, 0]) - wanted[:, 0]) ** 2).mean()
        loss = squared + F.binary_cross_entropy_with_logits(output[:, 1], wanted[:, 1])
        loss.backward()
        total += loss.item()
    optimizer.step()
    optimizer.zero_grad()
    return total


def rate(work, seconds):
    """Calls per second, after two calls that are not counted."""
    for _ in range(2):
        work()
    calls, began = 0, time.perf_counter()
    while calls == 0 or time.perf_counter() - began < seconds:
        work()
        calls += 1
    return calls / (time.perf_counter() - began)


size = 4096 if device == "cuda" else 512
left, right = torch.rand(size, size, device=device), torch.rand(size, size, device=device)
tokens = sum(rows * length for rows, length in shape["passes"])
speeds = []
for precision in ("f32", "tf32", "bf16") if device == "cuda" else ("f32", "bf16"):
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.allow_tf32 = precision == "tf32"
    with torch.autocast(device, torch.bfloat16, enabled=precision == "bf16"):
        steps = rate(step, shape["seconds"])
        products = rate(lambda: (left @ right)[0, 0].item(), min(2, shape["seconds"]))
    speeds.append(
        {
            "precision": precision,
            "tokensPerSecond": steps * tokens,
            "matmulGigaflops": products * 2 * size**3 / 1e9,
        }
    )
card = torch.cuda.get_device_name() if device == "cuda" else f"the CPU, {torch.get_num_threads()} threads"
print(json.dumps({"name": f"PyTorch {torch.__version__} on {card}", "speeds": speeds}))

#!/usr/bin/env python3
"""The baseline for speed: the same network in PyTorch, eager, float32, on the batches that the scorer ran.

usage: score_torch.py MODEL_FOLDER BATCHES.jsonl THREADS [PASSES]
BATCHES.jsonl has one padded batch per line: {"ids": [[id, ...], ...], "marks": [[mark, ...], ...]}. Prints one JSON line:
{"scores": [[score, exec], ...] in the batches' order, "seconds": the best of PASSES passes after a warm-up pass,
"peakBytes": peak memory}.
Needs torch. Written independently from the paper and config.json, so that equal scores are evidence.
"""
import json
import resource
import sys
import time

import torch
import torch.nn.functional as F

folder, batches_path, threads, *rest = sys.argv[1:]
torch.set_num_threads(int(threads))
passes = int(rest[0]) if rest else 3


def read_safetensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        body = bytearray(file.read())
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype = {"F32": torch.float32, "F16": torch.float16}[entry["dtype"]]
        tensors[name] = torch.frombuffer(body[begin:end], dtype=dtype).float().reshape(entry["shape"])
    return tensors


with open(f"{folder}/config.json") as file:
    config = json.load(file)
unice = config["codescore"]
w = read_safetensors(f"{folder}/model.safetensors")
HIDDEN, HEADS, LAYERS = config["hidden_size"], config["num_attention_heads"], config["num_hidden_layers"]
EPS = config["layer_norm_eps"]
for i in range(LAYERS):  # one product for query, key and value
    for kind in ("weight", "bias"):
        name = f"encoder.layer.{i}.attention.self"
        w[f"{name}.qkv.{kind}"] = torch.cat([w[f"{name}.{part}.{kind}"] for part in ("query", "key", "value")])


def linear(x, name):
    return F.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])


def norm(x, name):
    return F.layer_norm(x, x.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"], EPS)


def cover_levels(ids, candidate, reference):
    """For each token, the number of n-gram sizes for which an n-gram around it also occurs in the other program."""
    length = ids.shape[1]
    across = candidate[:, :, None] & reference[:, None, :] | reference[:, :, None] & candidate[:, None, :]
    same = (ids[:, :, None] == ids[:, None, :]) & across
    levels = torch.zeros_like(ids)
    run, size = same, 1  # run[b, i, j]: `size` tokens from i on equal those from j on
    for n in unice["cover"]:
        while size < n:
            moved = F.pad(same, (0, size, 0, size))[:, size:, size:]
            run, size = run & moved, size + 1
        starts = run.any(2)
        covered = torch.zeros_like(starts)
        for k in range(min(n, length)):
            covered[:, k:] |= starts[:, : length - k]
        levels += covered
    return levels


def forward(ids, marks):
    mask = ids != config["pad_token_id"]
    separator = (ids == config["eos_token_id"]) & mask
    part = (separator.cumsum(1) - separator.long()) * mask
    token = mask & ~separator & (ids != config["bos_token_id"])
    programs = [token & (part == index) for index in (0, 1)]
    places = mask.cumsum(1)
    if unice.get("positions") == "part":
        sizes = torch.stack([(mask & (part == index)).sum(1) for index in range(3)], 1)
        places = places - (sizes.cumsum(1) - sizes).gather(1, part)
    positions = places * mask + config["pad_token_id"]
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][positions]
    x = x + w["embeddings.token_type_embeddings.weight"][0]
    if unice["channels"]:
        x = x + w["unice.part.weight"][part] + w["unice.cover.weight"][cover_levels(ids, *programs)]
    if unice.get("static_marks"):
        x = x + w["unice.mark.weight"][marks]
    x = norm(x, "embeddings.LayerNorm")
    rows, length = ids.shape
    bias = torch.zeros(mask.shape).masked_fill(~mask, -1e4)[:, None, None, :]
    hidden = [x]
    for i in range(LAYERS):
        name = f"encoder.layer.{i}"
        qkv = linear(x, f"{name}.attention.self.qkv").view(rows, length, 3, HEADS, HIDDEN // HEADS)
        context = F.scaled_dot_product_attention(*qkv.permute(2, 0, 3, 1, 4), attn_mask=bias)
        context = context.transpose(1, 2).reshape(rows, length, HIDDEN)
        x = norm(x + linear(context, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        inner = F.gelu(linear(x, f"{name}.intermediate.dense"))
        x = norm(x + linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
        hidden.append(x)
    views = [torch.stack([h[:, 0] for h in hidden])]
    if unice["pool"] == "first+means":
        for program in programs:
            count = program.sum(1, keepdim=True) + 1e-3
            views.append(torch.stack([(program.float()[:, None] @ h)[:, 0] / count for h in hidden]))
    layers = torch.softmax(w["unice.scalars"], 0) if unice["mix"] == "softmax" else sparsemax(w["unice.scalars"])
    y = torch.cat([w["unice.gamma"] * torch.einsum("l,lbh->bh", layers, view) for view in views], 1)
    for i in range(len(unice["head_sizes"])):
        y = torch.tanh(linear(y, f"unice.head.{i}"))
    return torch.sigmoid(linear(y, f"unice.head.{len(unice['head_sizes'])}"))


def sparsemax(z):
    falling, ranks = z.sort(descending=True).values, torch.arange(1, len(z) + 1)
    support = 1 + ranks * falling > falling.cumsum(0)
    return (z - (falling[support].sum() - 1) / support.sum()).clamp(min=0)


with open(batches_path) as file:
    batches = [[torch.tensor(batch[key]) for key in ("ids", "marks")] for batch in map(json.loads, file)]
best = float("inf")
with torch.inference_mode():
    scores = [row for batch in batches for row in forward(*batch).tolist()]
    for _ in range(passes):
        began = time.perf_counter()
        for batch in batches:
            forward(*batch).tolist()
        best = min(best, time.perf_counter() - began)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"scores": scores, "seconds": best, "peakBytes": peak}))

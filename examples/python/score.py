"""What the network alone says of a candidate, without codescore: python score.py MODEL_FOLDER CANDIDATE REFERENCE [FORM]

This is not the score of `codescore score`, which joins the network with a rule and trees and calibrates them; the two differ widely. For that
score in Python use the client (docs/python.md): `from codescore import CodeScorer`.

Needs `pip install tokenizers onnxruntime`. FORM is a file under onnx/ (default: model.onnx, which the shipped model leaves out;
it has model_fp16.onnx). Programs are read as they are: where config.json says `normalise: "names"` or `"code"`, `codescore
score` renames variables and drops comments first, where it says `static_marks: true`, it adds marks to the mask; where it says
`rule`, it adds that rule's share, and then it calibrates. Whoever wants its very scores has to do all of that here.
"""
import json
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

folder, candidate_path, reference_path, *form = sys.argv[1:]
with open(f"{folder}/config.json") as file:
    config = json.load(file)["codescore"]
tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
session = onnxruntime.InferenceSession(f"{folder}/onnx/{form[0] if form else 'model.onnx'}")


def encode(path):
    with open(path, encoding="utf8") as file:
        return tokenizer.encode(file.read(), add_special_tokens=False).ids


# <s> candidate </s> reference </s>: the shorter may fill half of the budget, the longer has what is left of it.
parts = [encode(candidate_path), encode(reference_path)]
budget = config["max_length"] - 1 - len(parts)
shorter, longer = sorted((0, 1), key=lambda i: len(parts[i]))
parts[shorter] = parts[shorter][: budget // 2]
parts[longer] = parts[longer][: budget - len(parts[shorter])]
start, end = (tokenizer.token_to_id(token) for token in ("<s>", "</s>"))
input_ids = np.array([[start, *parts[0], end, *parts[1], end]], dtype=np.int64)
score, executable = session.run(["score", "exec"], {"input_ids": input_ids, "attention_mask": np.ones_like(input_ids)})
print(f"score {score[0]:.6f}  exec {executable[0]:.6f}")

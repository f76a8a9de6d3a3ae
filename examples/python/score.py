"""The score of the network alone, computed without codescore: python score.py MODEL_FOLDER CANDIDATE REFERENCE [FORM]

This is not the score of `codescore score`, which combines the network with a rule and trees, and calibrates the result. The two differ widely.
To get that score in Python, use the client (docs/python.md): `from codescore import CodeScorer`.

Needs `pip install tokenizers onnxruntime`. FORM is a file in onnx/ (default: model.onnx, which the shipped model does not include;
it has model_fp16.onnx). Programs are read unchanged. `codescore score` does more, depending on config.json: with `normalise: "names"` or
`"code"` it first renames variables and drops comments; with `static_marks: true` it adds marks to the mask; with `rule` it adds that rule's
share. Then it calibrates. To get exactly its scores, you must do all of that here too.
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


# <s> candidate </s> reference </s>: the shorter part may fill half of the budget, and the longer one gets the rest.
parts = [encode(candidate_path), encode(reference_path)]
budget = config["max_length"] - 1 - len(parts)
shorter, longer = sorted((0, 1), key=lambda i: len(parts[i]))
parts[shorter] = parts[shorter][: budget // 2]
parts[longer] = parts[longer][: budget - len(parts[shorter])]
start, end = (tokenizer.token_to_id(token) for token in ("<s>", "</s>"))
input_ids = np.array([[start, *parts[0], end, *parts[1], end]], dtype=np.int64)
score, executable = session.run(["score", "exec"], {"input_ids": input_ids, "attention_mask": np.ones_like(input_ids)})
print(f"score {score[0]:.6f}  exec {executable[0]:.6f}")

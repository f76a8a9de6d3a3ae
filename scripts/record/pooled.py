"""Records cosines of pooled hidden states over the tiny encoders, by onnxruntime, tokenizers and numpy, one text at a time.

    python scripts/record/pooled.py > test/fixtures/embedding/pooled.json
"""

import json
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

FIXTURES = Path(__file__).parents[2] / "test" / "fixtures"


def cosines(folder: Path, network: Path, pooling: str) -> list:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(json.loads((folder / "tokenizer_config.json").read_text())["model_max_length"])
    session = onnxruntime.InferenceSession(str(network))
    names = [one.name for one in session.get_inputs()]

    def vector(text: str):
        if text.strip() == "":
            return None
        ids = np.array([tokenizer.encode(text.strip()).ids], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = session.run(["last_hidden_state"], {name: feeds[name] for name in names})[0][0]
        return states.mean(0) if pooling == "mean" else states[0]

    values = []
    for pair in json.loads((FIXTURES / "embedding" / "expected.json").read_text())["pairs"]:
        a, b = vector(pair["candidate"]), vector(pair["reference"])
        missing = a is None or b is None
        values.append(None if missing else round(float(a @ b / np.sqrt((a @ a) * (b @ b))), 7))
    return values


ENCODERS = {
    "roberta": (FIXTURES / "unixcoder-tiny", FIXTURES / "embedding" / "encoder.onnx"),
    "bert": (FIXTURES / "embedding" / "bert", FIXTURES / "embedding" / "bert" / "model.onnx"),
}
print(json.dumps({name: {pooling: cosines(*paths, pooling) for pooling in ("mean", "cls")} for name, paths in ENCODERS.items()}, indent=2))

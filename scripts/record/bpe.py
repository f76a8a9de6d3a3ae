"""Records the byte-level BPE that Hugging Face's tokenizers learns from test/fixtures/bpe/corpus.txt.

Run as `python scripts/record/bpe.py > test/fixtures/bpe/expected.json` with tokenizers 0.23 installed. Lines of `%%` separate
the texts of the corpus.
"""

import json
import pathlib

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

corpus = pathlib.Path(__file__).resolve().parents[2] / "test" / "fixtures" / "bpe" / "corpus.txt"
texts = corpus.read_bytes().decode().split("\n%%\n")
cases = {}
for size in (300, 800, 5000):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    cases[size] = {
        "vocabulary": sorted(model["vocab"], key=model["vocab"].get),
        "merges": len(model["merges"]),
        "ids": [tokenizer.encode(text, add_special_tokens=False).ids for text in texts],
    }
print(json.dumps(cases))

"""Records test/fixtures/pytorch: small files by torch.save of every kind that the reader supports or must refuse, and their values.

Run as `python scripts/record/pytorch_checkpoints.py` with PyTorch 2.13 installed.
"""

import collections
import json
import os
import pathlib
import sys
import zipfile

import torch

OUT = pathlib.Path(__file__).resolve().parents[2] / "test" / "fixtures" / "pytorch"


class Hostile:
    def __reduce__(self):
        return (os.system, ("touch pickle-was-run",))


def state_dict():
    torch.manual_seed(0)
    base = torch.randn(4, 6)
    halves = [0.1, -2.5, 65504.0, 6e-8, 6.2e-5, 0.0, float("inf")]
    return collections.OrderedDict(
        float32=torch.randn(2, 3, 2),
        float16=torch.tensor(halves, dtype=torch.float16),
        bfloat16=torch.tensor([0.1, -3e38, 1e-40, 7.0], dtype=torch.bfloat16),
        float64=torch.tensor([[0.1, 1e-30], [1 / 3, -2.0]], dtype=torch.float64),
        int64=torch.arange(-2, 3).reshape(1, 5),
        int32=torch.tensor([-7, 2**20], dtype=torch.int32),
        int16=torch.tensor([-300, 300], dtype=torch.int16),
        int8=torch.tensor([-128, 127], dtype=torch.int8),
        uint8=torch.tensor([0, 255], dtype=torch.uint8),
        bool=torch.tensor([True, False]),
        scalar=torch.tensor(2.5),
        empty=torch.zeros(0, 3),
        shared=base,
        transposed=base.t(),
        part=base[1:3, 2:5],
        strided=base[::2, ::3],
        permuted=torch.randn(2, 3, 4).permute(2, 0, 1),
        expanded=torch.tensor([[1.0], [2.0]]).expand(2, 3),
        parameter=torch.nn.Parameter(torch.randn(3)),
    )


def plain(tensor):
    return [str(value) for value in tensor.detach().to(torch.float32).contiguous().flatten().tolist()]


def rewrite_as_zip64(source, target):
    """Rewrites a file like the writer of a file over 4 GiB: every size and offset in zip64 fields."""
    zipfile.ZIP64_LIMIT = 1
    zipfile.ZIP_FILECOUNT_LIMIT = 1
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for entry in old.infolist():
            new.writestr(zipfile.ZipInfo(entry.filename), old.read(entry))


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    tensors = state_dict()
    layer = torch.nn.LayerNorm(3)
    torch.save(tensors, OUT / "zip.bin")
    torch.save(tensors, OUT / "legacy.bin", _use_new_zipfile_serialization=False)
    torch.save(layer.state_dict(), OUT / "module.bin")  # with `_metadata`
    torch.save({"epoch": 3, "state_dict": layer.state_dict()}, OUT / "run.bin")
    torch.save({"weight": Hostile()}, OUT / "hostile.bin")
    torch.save({"weight": Hostile()}, OUT / "hostile-legacy.bin", _use_new_zipfile_serialization=False)
    sys.byteorder = "big"
    torch.save({"weight": torch.ones(2)}, OUT / "big-endian.bin")
    torch.save({"weight": torch.ones(2)}, OUT / "big-endian-legacy.bin", _use_new_zipfile_serialization=False)
    sys.byteorder = "little"
    with zipfile.ZipFile(OUT / "module.bin") as old, zipfile.ZipFile(OUT / "deflated.bin", "w") as new:
        for entry in old.infolist():
            new.writestr(entry.filename, old.read(entry), zipfile.ZIP_DEFLATED)
    rewrite_as_zip64(OUT / "zip.bin", OUT / "zip64.bin")
    expected = {name: {"shape": list(tensor.shape), "data": plain(tensor)} for name, tensor in tensors.items()}
    (OUT / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()

/**
 * The operations over parameters in half precision. Values are computed in single precision (what runs the file widens
 * constants once, when it loads it), so that a CPU is as fast as ever and the sums of long rows lose nothing.
 */
import { CodescoreError } from "../errors.ts";
import type { Tensor } from "../model/index.ts";
import { OnnxOps } from "./onnx-ops.ts";
import { FLOAT, FLOAT16, INT64 } from "./proto.ts";

export class HalfOps extends OnnxOps {
  readonly #widened = new Map<string, string>();

  override embedding(indices: string, name: string): string {
    // The rows taken are widened, not the table.
    const table = this.#half(`${name}.weight`, this.tensor(`${name}.weight`));
    return this.node("Cast", [this.gather(table, this.node("Cast", [indices], { to: INT64 }))], { to: FLOAT });
  }

  protected override parameter(name: string, tensor: Tensor): string {
    const value = this.#widened.get(name) ?? this.node("Cast", [this.#half(name, tensor)], { to: FLOAT });
    this.#widened.set(name, value);
    return value;
  }

  #half(name: string, { shape, data }: Tensor): string {
    return this.initializer(name, shape, FLOAT16, toHalf(data, name));
  }
}

/**
 * Numbers as IEEE 754's binary16, rounded to the nearest, ties to even. Throws `CodescoreError("model")` for one beyond
 * its greatest, 65,504.
 */
export function toHalf(data: Float32Array, name: string): Uint16Array {
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  const sum = new Float32Array(1);
  const sumBits = new Uint32Array(sum.buffer);
  return Uint16Array.from(bits, (bit, i) => {
    const sign = (bit >>> 16) & 0x8000;
    const size = bit & 0x7fffffff;
    if (size >= 0x477ff000) {
      throw new CodescoreError(
        "model",
        `${name} holds ${data[i]}, which half precision cannot; leave out --forms fp16`,
      );
    }
    if (size < 0x38800000) {
      // Below 2^-14 halves are multiples of 2^-24, as single-precision numbers from 0.5 on are: the sum rounds.
      sum[0] = Math.abs(data[i]!) + 0.5;
      return sign | (sumBits[0]! - 0x3f000000);
    }
    return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
  });
}

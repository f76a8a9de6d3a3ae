/**
 * The operations with parameters in half precision. Values are computed in single precision, so that a CPU is not slower and long sums lose
 * no precision. The runtime widens constants once, when it loads the file.
 */
import { type Tensor, toHalf } from "../model/index.ts";
import { OnnxOps } from "./onnx-ops.ts";
import { FLOAT, FLOAT16, INT64 } from "./proto.ts";

export class HalfOps extends OnnxOps {
  readonly #widened = new Map<string, string>();

  override embedding(indices: string, name: string): string {
    // Widens only the selected rows, not the whole table.
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

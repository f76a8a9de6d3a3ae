/**
 * The operations over parameters in half precision. Values are computed in single precision (what runs the file widens
 * constants once, when it loads it), so that a CPU is as fast as ever and the sums of long rows lose nothing.
 */
import { type Tensor, toHalf } from "../model/index.ts";
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

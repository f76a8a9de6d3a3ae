/** Runs WGSL compute shaders of our own as operations of TensorFlow.js's WebGPU backend. */
import * as tf from "@tensorflow/tfjs";
import type { WebGPUBackend, WebGPUProgram } from "@tensorflow/tfjs-backend-webgpu";

/** Whether the engine is WebGPU. */
export const isWebGpu = (): boolean => tf.getBackend() === "webgpu";

/** Threads of a workgroup. */
export const THREADS = 64;

/** A compute shader. It sees its inputs as flat arrays of f32 (`ids` of i32), and writes the flat array `result`. */
export interface Shader {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly uniforms: Readonly<Record<string, "i32" | "u32" | "f32">>;
  /**
   * - `element`: the body runs for each element of the output, `index`.
   * - `row`: a workgroup runs the body for each `row` of `uniforms.rows`; `lane` is the thread. The body may call `total` and `most`, the sum
   *   and the maximum over the workgroup. It must check `row < uniforms.rows` before it writes.
   */
  readonly per: "element" | "row";
  readonly body: string;
  /** Functions that the body calls. */
  readonly functions?: string;
  /** Whether `result` is added to atomically, as bits of f32 in i32. It then starts as zeros. */
  readonly atomic?: boolean;
}

/** Reductions over a workgroup. Every thread must call them. */
const REDUCTIONS = ["total", "most"]
  .map((name) => {
    const both = name === "total" ? "lanes[lane] + lanes[lane + width]" : "max(lanes[lane], lanes[lane + width])";
    return `
    fn ${name}(value : f32) -> f32 {
      let lane = localIndex;
      workgroupBarrier();
      lanes[lane] = value;
      workgroupBarrier();
      for (var width = ${THREADS / 2}u; width > 0u; width = width / 2u) {
        if (lane < width) { lanes[lane] = ${both}; }
        workgroupBarrier();
      }
      return lanes[0];
    }`;
  })
  .join("\n");

function codeOf({ per, body, functions = "" }: Shader): string {
  if (per === "element") {
    return `${functions}
    fn main(index : i32) {
      if (index < uniforms.size) { ${body} }
    }`;
  }
  return `var<workgroup> lanes : array<f32, ${THREADS}>;
    ${REDUCTIONS}
    ${functions}
    fn main(index : i32) {
      let row = index / ${THREADS};
      let lane = i32(localIndex);
      ${body}
    }`;
}

const KERNEL = "CodescoreShader";

interface Attributes {
  readonly shader: Shader;
  readonly shape: readonly number[];
  readonly values: Readonly<Record<string, number>>;
}

/** Registers the kernel that runs shaders, once per process. */
export function registerShaders(): void {
  if (tf.getKernel(KERNEL, "webgpu") !== undefined) return;
  tf.registerKernel({
    kernelName: KERNEL,
    backendName: "webgpu",
    kernelFunc({ inputs, attrs, backend }) {
      const { shader, shape, values } = attrs as unknown as Attributes;
      const size = tf.util.sizeFromShape([...shape]);
      const groups = shader.per === "row" ? values.rows! : Math.ceil(size / THREADS);
      const program: WebGPUProgram = {
        shaderKey: `${KERNEL} ${shader.name}`,
        variableNames: [...shader.inputs],
        outputShape: [size],
        dispatchLayout: { x: [0] },
        dispatch: [groups, 1, 1],
        workgroupSize: [THREADS, 1, 1],
        size: true,
        uniforms: Object.entries(shader.uniforms)
          .map(([name, type]) => `${name} : ${type},`)
          .join(" "),
        getUserCode: () => codeOf(shader),
        ...(shader.atomic && { atomic: true }),
      };
      const flat = Object.values(inputs).map((input) => {
        const { dataId, dtype, shape } = input as tf.TensorInfo;
        return { dataId, dtype, shape: [tf.util.sizeFromShape(shape)] };
      });
      const uniforms = Object.entries(shader.uniforms).map(([name, type]) => ({
        type: type === "f32" ? "float32" : type === "i32" ? "int32" : "uint32",
        data: [values[name]!],
      }));
      const zeros = shader.atomic ? zerosOf(backend as WebGPUBackend, size) : undefined;
      const result = (backend as WebGPUBackend).runWebGPUProgram(program, flat, "float32", uniforms, zeros);
      return { ...result, shape: [...shape] };
    },
  });
}

function zerosOf(backend: WebGPUBackend, size: number): tf.TensorInfo {
  const fill = tf.getKernel("Fill", "webgpu")!;
  const attrs = { shape: [size], value: 0, dtype: "float32" };
  return fill.kernelFunc({ inputs: {}, backend, attrs } as never) as tf.TensorInfo;
}

/** Runs a shader on tensors. `values` are its uniforms. Returns a tensor [shape] of float32. */
export function shade(
  shader: Shader,
  inputs: readonly tf.Tensor[],
  shape: readonly number[],
  values: Readonly<Record<string, number>> = {},
): tf.Tensor {
  const named = Object.fromEntries(inputs.map((input, i) => [shader.inputs[i]!, input]));
  return tf.engine().runKernel(KERNEL, named, { shader, shape, values } as never) as tf.Tensor;
}

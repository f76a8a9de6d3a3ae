/** Computes dropout's factors on the GPU. On the host this would take longer than the rest of a step. */
import * as tf from "@tensorflow/tfjs";
import type { WebGPUBackend, WebGPUProgram, webgpu_util } from "@tensorflow/tfjs-backend-webgpu";

const KERNEL = "DropoutFactors";

/** 0 with probability `rate`, otherwise 1 / (1 - rate), determined by the seed. */
export const dropoutFactors = (shape: readonly number[], rate: number, seed: number): tf.Tensor =>
  tf.engine().runKernel(KERNEL, {}, { shape: [...shape], rate, seed }) as tf.Tensor;

/** Registers the kernel, once per process. */
export function registerDropout({ computeDispatch, flatDispatchLayout }: typeof webgpu_util): void {
  if (tf.getKernel(KERNEL, "webgpu") !== undefined) return;
  tf.registerKernel({
    kernelName: KERNEL,
    backendName: "webgpu",
    kernelFunc({ attrs, backend }) {
      const { shape, rate, seed } = attrs as unknown as { shape: number[]; rate: number; seed: number };
      const dispatchLayout = flatDispatchLayout(shape);
      const workgroupSize: [number, number, number] = [64, 1, 1];
      const program: WebGPUProgram = {
        shaderKey: KERNEL,
        variableNames: [],
        outputShape: shape,
        dispatchLayout,
        dispatch: computeDispatch(dispatchLayout, shape, workgroupSize),
        workgroupSize,
        size: true,
        uniforms: "key : u32, limit : u32, kept : f32,",
        // lowbias32 (Wellons 2018) of a counter: each value is computed independently, in any order
        getUserCode: () => `
          fn main(index : i32) {
            if (index < uniforms.size) {
              var x = u32(index) ^ uniforms.key;
              x = (x ^ (x >> 16u)) * 0x7feb352du;
              x = (x ^ (x >> 15u)) * 0x846ca68bu;
              x = x ^ (x >> 16u);
              setOutputAtIndex(index, select(uniforms.kept, 0.0, x < uniforms.limit));
            }
          }`,
      };
      return (backend as WebGPUBackend).runWebGPUProgram(program, [], "float32", [
        { type: "uint32", data: [mixed(seed)] },
        { type: "uint32", data: [rate * 2 ** 32] },
        { type: "float32", data: [1 / (1 - rate)] },
      ]);
    },
  });
}

/** The same hash, so that similar seeds give very different keys. */
function mixed(seed: number): number {
  let x = seed | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Builds and loads what npm's install cannot provide: the native engine of TensorFlow.js. */
export { findNative, loadNative, type NativeEngine, prepareNative } from "./native.ts";
export { tensorflowFolder } from "./places.ts";
export { planTensorflow, type SetupOptions, type SetupPlan, setupTensorflow } from "./tensorflow.ts";

/** TensorFlow.js reduced to what a box uses: without layers, data sets, converters and WebGL. */
export * from "@tensorflow/tfjs-core";

import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";

/** TensorFlow.js without what a box does not use of it: layers, data sets, converters, WebGL. */
export * from "@tensorflow/tfjs-core";

import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";

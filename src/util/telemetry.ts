/**
 * Disables the telemetry of onnxruntime, which reports to its maker over the network and writes files to the home and temporary folders.
 * Call it in the main thread before onnxruntime is loaded: native libraries do not see environment variables set in a worker.
 */
export function silenceOnnxruntime(): void {
  process.env.ORT_DISABLE_TELEMETRY ??= "1";
}

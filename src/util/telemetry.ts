/**
 * onnxruntime tells its maker what runs where, over the network and with files in the home and temporary folders, unless it is
 * told not to before it is loaded: in the main thread, since what a worker sets in its environment no library sees.
 */
export function silenceOnnxruntime(): void {
  process.env.ORT_DISABLE_TELEMETRY ??= "1";
}

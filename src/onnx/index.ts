/** Runs ONNX files. */
export { shortHash } from "./hash.ts";
export { SessionPool } from "./pool.ts";
export {
  closeSessions,
  type Floats,
  type Integers,
  isCpu,
  type Port,
  Session,
  type SessionOptions,
} from "./session.ts";

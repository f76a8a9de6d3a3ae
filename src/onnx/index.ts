/** Runs ONNX files. */
export { shortHash } from "./hash.ts";
export { SessionPool } from "./pool.ts";
export { closeSessions, type Floats, type Integers, type Port, Session, type SessionOptions } from "./session.ts";

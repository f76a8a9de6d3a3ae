/** Worker thread that encodes rows for encode.ts. */
import { workerData } from "node:worker_threads";
import { doJobs } from "../util/job-worker.ts";
import { type EncodeAsked, openRowEncoder } from "./encode-row.ts";

const { file, config, formats } = workerData as EncodeAsked;
doJobs(openRowEncoder({ file, config, formats }).then((encode) => ({ encode: ({ items }) => items.map(encode) })));

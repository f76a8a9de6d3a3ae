/** Exports a model, which opens the first session of this process, and then asks for a GPU. For log.test.ts. */
import { rm } from "node:fs/promises";
import { CodeScorer } from "../../src/score/index.ts";
import { makeModel } from "../score/model.ts";

const folder = await makeModel();
const found = await CodeScorer.load(folder, { device: "cuda" }).catch((error: Error) => error);
process.stdout.write(found instanceof Error ? found.message : "opened");
if (!(found instanceof Error)) await found.close();
await rm(folder, { recursive: true });

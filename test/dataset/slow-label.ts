/** Runs as a separate process that tests kill: labels slowly with the fake executor. Arguments: problems, samples, output. */
import { label } from "../../src/dataset/index.ts";
import { fakeExecutor } from "./fake.ts";

const [problems, samples, out] = process.argv.slice(-3) as [string, string, string];
await label({ problems: [problems], samples: [samples], out, executor: fakeExecutor({ delay: () => 60 }), window: 2 });

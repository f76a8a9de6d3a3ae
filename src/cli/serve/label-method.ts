/** The method `label` of a session: `codescore label` for files that both sides can reach. */
import type { Executor } from "../../execute/types.ts";
import type { Method } from "../../server/index.ts";
import { integerParam, onlyParams, optional, pathsParam, textParam } from "./params.ts";

/** @param executorOf throws `CodescoreError` if nothing can be run */
export const labelMethod =
  (executorOf: () => Executor): Method =>
  async ({ params }) => {
    onlyParams(params, ["problems", "samples", "output", "expand", "seed"]);
    const options = {
      problems: pathsParam(params, "problems"),
      samples: pathsParam(params, "samples"),
      out: textParam(params, "output"),
      expand: optional(params, "expand", (name) => integerParam(params, name, 1)) ?? null,
      seed: optional(params, "seed", (name) => integerParam(params, name, 0)) ?? 0,
    };
    const executor = executorOf();
    const { label } = await import("../../dataset/index.ts");
    const { unknownTasks, opaqueTests, ...result } = await label({ ...options, executor });
    const maps = { unknownTasks: Object.fromEntries(unknownTasks), opaqueTests: Object.fromEntries(opaqueTests) };
    return { ...result, ...maps, sandbox: executor.sandbox };
  };

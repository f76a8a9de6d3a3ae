/**
 * A model as similarity: it says how similar two responses are (Patched RTC, step 4 in its first form). A model that judges its
 * own answers shares its errors, so prefer any other similarity that fits.
 */

import type { Llm } from "../llm/llm.ts";
import { defaultPrompts, readTemplate, render } from "../llm/prompts.ts";
import { openCache } from "../llm/recording.ts";
import type { SignedSimilarity } from "../trip/similarity.ts";

export interface JudgeOptions {
  readonly llm: Llm;
  /** Folder with patched-judge.txt. @default the prompts of this package */
  readonly prompts?: string;
  /** File of the models' answers. It may be that of the run. @default none: nothing is recorded */
  readonly cache?: string;
}

/** The similarity `judge`. NaN if the answer has no number from 0 to 1. */
export async function openJudge({
  llm,
  prompts = defaultPrompts,
  cache: path,
}: JudgeOptions): Promise<SignedSimilarity> {
  const template = await readTemplate(prompts, "patched-judge", {
    places: ["first", "second"],
    needed: ["first", "second"],
  });
  return {
    name: "judge",
    signature: `judge|model:${llm.name}|prompt:${template.sha256.slice(0, 8)}`,
    compare: async (pairs) => {
      // Open the cache only now. One process may write the file at a time, and sampling has closed it by now.
      const cache = path === undefined || llm.recorded ? null : await openCache(path);
      const model = cache?.wrap(llm) ?? llm;
      try {
        return await Promise.all(
          pairs.map(async ({ reference, candidate, problemId = "" }) => {
            const [answer] = await model.complete({
              prompt: render(template, { first: reference, second: candidate }),
              n: 1,
              temperature: 0,
              maxTokens: 64,
              about: { taskId: problemId, direction: "judge", first: 0 },
            });
            return scoreOf(answer ?? "");
          }),
        );
      } finally {
        await cache?.close();
      }
    },
  };
}

/** The first number from 0 to 1 in the text. It is no part of a longer number, of a fraction such as 1/10 or of a percentage. */
const GRADE = /(?<![\d.]|(?<!\w)[-−])(?:0?\.\d+|0|1(?:\.0+)?)(?![\d.]*\d|\s*%|\s*\/\s*(?!1(?:\.0+)?(?![\d.]*\d))\d)/;

const scoreOf = (text: string): number => Number(GRADE.exec(text)?.[0] ?? Number.NaN);

/**
 * Metrics on pretrained encoders: BERTScore (Zhang et al. 2020), CodeBERTScore (Zhou et al. 2023), COMET (Rei et al. 2020), and
 * the cosine of texts' vectors. `prepare` loads the models. Metrics with the same options object share them.
 */
import { CodescoreError } from "../../errors.ts";
import type { BatchMetric, MetricOptions } from "../types.ts";
import type { CometModel } from "./comet.ts";
import type { Matched } from "./match.ts";
import type { Opened } from "./open.ts";
import type { PooledEncoder } from "./pooled.ts";

type Entry = (name: string, options: MetricOptions) => BatchMetric;

/** What is open, by the options object for which it was opened. */
const openFor = new WeakMap<MetricOptions, Map<string, Promise<unknown>>>();

/** The shared object with that name, opened on first use. If opening fails, the next call tries again. */
function shared<Thing>(options: MetricOptions, name: string, open: () => Promise<Thing>): Promise<Thing> {
  const all = openFor.get(options) ?? new Map<string, Promise<unknown>>();
  openFor.set(options, all);
  const found = all.get(name) as Promise<Thing> | undefined;
  if (found) return found;
  const opening = open();
  all.set(name, opening);
  opening.catch(() => all.delete(name));
  return opening;
}

/** The folder of a metric's model: given by the metric's name, by its family's name, or as the encoder for all. */
function folderOf(name: string, family: string, { models, encoder }: MetricOptions): string {
  const folder = models?.[name] ?? models?.[family] ?? (family === "comet" ? undefined : encoder);
  if (folder !== undefined) return folder;
  const flag = family === "comet" ? "" : "--encoder DIR (option `encoder`) or ";
  throw new CodescoreError(
    "usage",
    `\`${name}\` needs a model that was exported to ONNX: set ${flag}--metric-model ${family}=DIR (option \`models\`)`,
  );
}

const pairsMetric =
  (family: "bertscore" | "codebertscore", part: keyof Matched): Entry =>
  (name, options) => {
    const folder = folderOf(name, family, options);
    let ready: (Opened & { readonly baseline: number | null }) | null = null;
    const prepare = async (): Promise<void> => {
      if (ready !== null) return;
      const { openEncoder, openMatcher } = await import("./open.ts");
      const encoder = await shared(options, `encoder ${folder}`, () => openEncoder(folder));
      const opened = await shared(options, `${family} ${folder}`, async () => openMatcher(family, encoder, options));
      ready = { ...opened, baseline: await opened.readBaseline(part) };
    };
    return {
      name,
      get signature() {
        return ready === null ? `${name}|not opened` : `${name}|${part}|${ready.signature}`;
      },
      prepare,
      async scoreAll(pairs) {
        await prepare();
        const { matcher, baseline } = ready!;
        const matched = await matcher.match(pairs);
        return matched.map(({ [part]: value }) => (baseline === null ? value : (value - baseline) / (1 - baseline)));
      },
      get msPerPair() {
        return ready?.matcher.msPerPair ?? null;
      },
      notes: () => ready?.matcher.notes() ?? [],
      close: () => closeAll(options),
    };
  };

const cometMetric: Entry = (name, options) => {
  const folder = folderOf(name, "comet", options);
  let model: CometModel | null = null;
  const prepare = async (): Promise<void> => {
    const { CometModel } = await import("./comet.ts");
    model ??= await shared(options, `comet ${folder}`, () => CometModel.open(folder));
  };
  return {
    name,
    get signature() {
      return model === null ? `${name}|not opened` : `${name}|${model.signature}`;
    },
    prepare,
    async scoreAll(pairs) {
      await prepare();
      return model!.scoreAll(pairs, options.progress ?? false);
    },
    notes: () => model?.notes() ?? [],
    close: () => closeAll(options),
  };
};

const pooledMetric: Entry = (name, options) => {
  const folder = folderOf(name, "embedding", options);
  let encoder: PooledEncoder | null = null;
  const prepare = async (): Promise<void> => {
    const { PooledEncoder } = await import("./pooled.ts");
    encoder ??= await shared(options, `pooled ${folder}`, () => PooledEncoder.open(folder, options.layer));
  };
  return {
    name,
    get signature() {
      return encoder === null ? `${name}|not opened` : `${name}|${encoder.signature}`;
    },
    prepare,
    async scoreAll(pairs) {
      await prepare();
      return encoder!.compare(pairs, options.progress ?? false);
    },
    notes: () => encoder?.notes() ?? [],
    close: () => closeAll(options),
  };
};

/** Closes what was opened for an options object. Its metrics cannot be used afterwards. */
async function closeAll(options: MetricOptions): Promise<void> {
  for (const opening of openFor.get(options)?.values() ?? []) {
    const thing = await opening.catch(() => null);
    if (typeof thing === "object" && thing !== null && "close" in thing) await (thing as CometModel).close();
  }
}

export const embeddingMetrics: Readonly<Record<string, Entry>> = {
  bertscore: pairsMetric("bertscore", "f1"),
  "bertscore-p": pairsMetric("bertscore", "p"),
  "bertscore-r": pairsMetric("bertscore", "r"),
  codebertscore: pairsMetric("codebertscore", "f1"),
  "codebertscore-f3": pairsMetric("codebertscore", "f3"),
  "codebertscore-p": pairsMetric("codebertscore", "p"),
  "codebertscore-r": pairsMetric("codebertscore", "r"),
  comet: cometMetric,
  embedding: pooledMetric,
};

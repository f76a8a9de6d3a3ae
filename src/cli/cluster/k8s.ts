/** `codescore cluster k8s`: an indexed Job that processes shards, and a Job that joins them when all are done. */
import { CodescoreError } from "../../errors.ts";
import { mergeScript, type Plan, partScript, quoted } from "./script.ts";

export interface K8sFlags {
  readonly image: string;
  readonly name: string;
  readonly claim?: string;
  readonly mount: string;
  /** A Secret whose entries become environment variables, such as the credentials of an object storage. */
  readonly secret?: string;
  readonly parallelism?: number;
}

/**
 * File contents by file name. The format is JSON, which kubectl accepts like YAML. Throws `CodescoreError("usage")` for paths without a
 * claim.
 */
export function k8sFiles(plan: Plan, flags: K8sFlags, folder: string): Record<string, string> {
  const { name, parallelism } = flags;
  const { step, tasks, retries, output } = plan;
  if (!plan.isRemote && flags.claim === undefined)
    throw new CodescoreError("usage", `expected --claim NAME, got none: pods can write ${output} only in a claim`);
  const spec = {
    completionMode: "Indexed",
    completions: tasks,
    parallelism: Math.min(parallelism ?? tasks, tasks),
    backoffLimitPerIndex: retries,
    maxFailedIndexes: tasks, // never stop the other parts; the rest of the set is done when one part fails
    // A machine that is taken away does not count as a failure of its shard.
    podFailurePolicy: {
      rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }],
    },
  };
  const file = (job: object): string => `${JSON.stringify(job, null, 2)}\n`;
  return {
    [`${step}.json`]: file(
      jobOf(`${name}-${step}`, spec, partScript(plan, "$((JOB_COMPLETION_INDEX + 1))"), plan, flags),
    ),
    "merge.json": file(jobOf(`${name}-merge`, { backoffLimit: retries }, mergeScript(plan), plan, flags)),
    "submit.sh": `#!/bin/sh
set -e
cd ${quoted(folder)}
for part in ${step} merge; do
  kubectl apply -f "$part.json"
  until kubectl wait --for=condition=Complete --timeout=60s "job/${name}-$part"; do
    kubectl wait --for=condition=Failed --timeout=0 "job/${name}-$part" && exit 1
  done
done
`,
  };
}

function jobOf(
  name: string,
  spec: object,
  script: string,
  { cpus, memory }: Plan,
  { image, claim, mount, secret }: K8sFlags,
) {
  const container = {
    name: "codescore",
    image,
    command: ["bash", "-c", script],
    resources: { requests: { cpu: `${cpus}`, memory }, limits: { memory } },
    // Programs run in Landlock, which needs neither namespaces nor privileges.
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, readOnlyRootFilesystem: true },
    env: [
      { name: "TMPDIR", value: "/tmp" },
      { name: "CODESCORE_CACHE", value: "/tmp/codescore" },
    ],
    ...(secret !== undefined && { envFrom: [{ secretRef: { name: secret } }] }),
    volumeMounts: [
      { name: "tmp", mountPath: "/tmp" },
      ...(claim === undefined ? [] : [{ name: "data", mountPath: mount }]),
    ],
  };
  const pod = {
    restartPolicy: "Never",
    securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: "RuntimeDefault" } },
    containers: [container],
    volumes: [
      { name: "tmp", emptyDir: {} },
      ...(claim === undefined ? [] : [{ name: "data", persistentVolumeClaim: { claimName: claim } }]),
    ],
  };
  const metadata = { name, labels: { app: "codescore" } };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata,
    spec: { ...spec, template: { metadata: { labels: { app: "codescore" } }, spec: pod } },
  };
}

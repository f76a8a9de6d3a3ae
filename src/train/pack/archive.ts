/** Makes a `.tar.gz` or `.tar.zst` of files in memory. */
import { spawn } from "node:child_process";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { createTar } from "nanotar";
import { CodescoreError, messageOf } from "../../errors.ts";
import type { PackedFile } from "./programs.ts";

const ENDINGS = { ".tar.gz": "gzip", ".tgz": "gzip", ".tar.zst": "zstd" } as const;

export interface ArchiveName {
  readonly compression: "gzip" | "zstd";
  /** The folder that all files unpack into. */
  readonly top: string;
}

/** Throws `CodescoreError("usage")` for a name without a known archive ending. */
export function archiveName(path: string): ArchiveName {
  const ending = Object.keys(ENDINGS).find((end) => path.endsWith(end)) as keyof typeof ENDINGS | undefined;
  if (ending === undefined) {
    const known = Object.keys(ENDINGS).join(", ");
    throw new CodescoreError("usage", `expected a pack's name to end with one of ${known}, got ${path}`);
  }
  const name = path.slice(0, -ending.length).split(/[\\/]/).at(-1)!;
  // Paths in a tar file have at most 100 characters, and the pack's longest path has 60.
  const top = name.replace(/[^\w.-]/g, "-").slice(0, 32) || "run";
  return { compression: ENDINGS[ending], top };
}

/** The same files give the same bytes. Throws `CodescoreError("environment")` if no zstd is available for a `.tar.zst`. */
export async function makeArchive(files: readonly PackedFile[], { compression, top }: ArchiveName): Promise<Buffer> {
  const attrs = { mtime: 0, uid: 0, gid: 0 };
  const tar = createTar(
    files.map(({ name, data, executable }) => ({
      name: `${top}/${name}`,
      data,
      attrs: { ...attrs, mode: executable ? "755" : "644" },
    })),
  );
  // Level 9 takes three times as long and makes Node only 0.4 % smaller.
  return compression === "gzip" ? promisify(zlib.gzip)(tar, { level: 6 }) : zstd(tar);
}

/** Compression level of zstd. Its window is 8 MiB, which every decoder accepts by default. */
const LEVEL = 19;

/** Node has this from 22.15 on. Its type definitions got it later. */
interface NewZlib {
  readonly constants: { readonly ZSTD_c_compressionLevel: number };
  zstdCompress?(data: Uint8Array, options: object, done: (error: Error | null, packed: Buffer) => void): void;
}

async function zstd(data: Uint8Array): Promise<Buffer> {
  const { zstdCompress, constants } = zlib as unknown as NewZlib;
  if (zstdCompress !== undefined) {
    const params = { [constants.ZSTD_c_compressionLevel]: LEVEL };
    return new Promise((resolve, reject) => {
      zstdCompress(data, { params }, (error, packed) => (error === null ? resolve(packed) : reject(error)));
    });
  }
  return new Promise((resolve, reject) => {
    const absent = (error: unknown): void =>
      reject(
        new CodescoreError(
          "environment",
          `Node ${process.versions.node} has no zstd, and the zstd command does not run (${messageOf(error)}): install it, ` +
            "use Node 22.15 or later, or name the pack .tar.gz",
          { cause: error },
        ),
      );
    const command = spawn("zstd", ["-q", "-c", `-${LEVEL}`, "-T0"], { stdio: ["pipe", "pipe", "inherit"] });
    const pieces: Buffer[] = [];
    command.on("error", absent);
    command.stdin.on("error", absent);
    command.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    command.on("close", (code) => (code === 0 ? resolve(Buffer.concat(pieces)) : absent(`it ended with ${code}`)));
    command.stdin.end(data);
  });
}

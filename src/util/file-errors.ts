/**
 * Converts operating system errors about files into errors that say how to fix them. A full disk, for example, is an error
 * neither of codescore nor of the file.
 */
import { CodescoreError, type ErrorCode, messageOf } from "../errors.ts";

interface Situation {
  readonly is: string;
  readonly mend: string;
  /** @default "environment" */
  readonly code?: ErrorCode;
}

const ELSEWHERE = "give a path that can be written";
const FOLDER_IS_FILE = {
  is: "part of the path is a file, not a folder",
  mend: "give another path",
  code: "usage",
} as const;
const DENIED = { is: "permission denied", mend: `${ELSEWHERE}, or change its permissions` };
const TOO_MANY = { is: "too many files are open", mend: "raise the limit (`ulimit -n 4096`) or use fewer --workers" };

/** By POSIX error name. */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  ENOSPC: { is: "the disk is full", mend: "free some space and run the same command again" },
  EDQUOT: { is: "your disk quota is used up", mend: "free some space and run the same command again" },
  EFBIG: {
    is: "the file exceeds the maximum file size",
    mend: "raise the limit (`ulimit -f`), or use another file system",
  },
  EROFS: { is: "the file system is read-only", mend: ELSEWHERE },
  EACCES: DENIED,
  EPERM: DENIED,
  ENOTDIR: FOLDER_IS_FILE,
  EEXIST: FOLDER_IS_FILE, // from mkdir
  EISDIR: { is: "it is a folder", mend: "give the path of a file", code: "usage" },
  ENAMETOOLONG: { is: "the name is too long", mend: "give a shorter one", code: "usage" },
  ELOOP: { is: "its symbolic links form a loop", mend: "give another path", code: "usage" },
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  EBUSY: { is: "another program has it open", mend: "close that program, or give another path" },
  ETXTBSY: { is: "it is a running program", mend: "give another path" },
  EIO: { is: "the disk failed", mend: "check it (`dmesg`), or give a path on another disk" },
  ESTALE: { is: "the file server no longer knows the file", mend: "mount its file system again" },
  EPIPE: { is: "the reader closed the pipe", mend: "let it read to the end" },
};

/** ENOENT when writing. When reading, ENOENT means a missing file, for which the caller has a better message. */
const NO_FOLDER: Situation = {
  is: "the folder does not exist and cannot be created",
  mend: "give another path",
  code: "usage",
};

/**
 * A `CodescoreError` that says what went wrong with which file and how to fix it. Any other error is returned unchanged.
 * `path` is used if the error names no file, as for a failed write.
 */
export function fileError(doing: "read" | "write" | "use", error: unknown, path?: string): unknown {
  const { code = "", path: named } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const situation = code === "ENOENT" && doing === "write" ? NO_FOLDER : SITUATIONS[code];
  if (situation === undefined || error instanceof CodescoreError) return error;
  const { is, mend, code: kind = "environment" } = situation;
  return new CodescoreError(kind, `cannot ${doing} ${path ?? named ?? "a file"}: ${is} (${code}); ${mend}`, {
    cause: error,
  });
}

/** What the codes of a failed read mean. Z_DATA_ERROR and Z_BUF_ERROR are zlib's. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "it is a folder; give the path of a file",
  Z_DATA_ERROR:
    "expected gzip, because its name ends in .gz; rename it if it is not compressed, else copy or download it again",
  Z_BUF_ERROR: "the gzip file is cut off; copy or download it again",
};

/** An error for a file that cannot be read: `usage` if it does not exist, otherwise `input`. */
export function unreadable(what: string, error: unknown): CodescoreError {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? "") : "";
  const zlib = code.startsWith("Z_") ? `${messageOf(error)}: ` : "";
  const known = UNREADABLE[code] === undefined ? null : `${zlib}${UNREADABLE[code]}`;
  return new CodescoreError(
    code === "ENOENT" ? "usage" : "input",
    `cannot read ${what}: ${known ?? messageOf(error)}`,
    {
      cause: error,
    },
  );
}

/** Runs work that writes `path`. If the file cannot be written, throws a `CodescoreError` that names it. */
export async function whileWriting<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError("write", error, path);
  }
}

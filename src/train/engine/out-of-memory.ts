/** Error for a tensor that does not fit into memory. */
import { CodescoreError } from "../../errors.ts";

export class OutOfMemory extends CodescoreError {
  /** Bytes available for all tensors together, or the maximum bytes of one. */
  readonly room: { readonly all: number } | { readonly one: number };

  constructor(message: string, room: OutOfMemory["room"]) {
    super("infra", message);
    this.name = "OutOfMemory";
    this.room = room;
  }
}

/** A tensor found no room. */
import { CodescoreError } from "../../errors.ts";

export class OutOfMemory extends CodescoreError {
  /** Bytes that there are for all tensors, or for one. */
  readonly room: { readonly all: number } | { readonly one: number };

  constructor(message: string, room: OutOfMemory["room"]) {
    super("infra", message);
    this.name = "OutOfMemory";
    this.room = room;
  }
}

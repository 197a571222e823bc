// The change under judgement.

import * as host from "guardhost:guard/change@0.1.0";

/** There is no text, and why; its message reads as the rest of a sentence. */
export class Unreadable extends Error {
  constructor(why) {
    super(reason(why));
    this.name = "Unreadable";
    this.kind = why.tag;
  }
}

function reason({ tag, val }) {
  switch (tag) {
    case "absent":
      return "it does not exist on that side";
    case "not-text":
      return `it is not text (${val})`;
    default:
      return `it is ${val[0]} bytes large and the limit is ${val[1]}`;
  }
}

/** Asked once a call: the files stay as they are while a guard judges. */
export function change() {
  const files = host.files().map((record, index) => new File(record, index));
  return { files, get task() { return host.getTask() ?? null; } };
}

class File {
  #index;
  #record;

  constructor(record, index) {
    this.#record = record;
    this.#index = index;
  }

  get path() { return this.#record.path; }
  get oldPath() { return this.#record.oldPath ?? null; }
  get status() { return this.#record.status; }
  get before() { return this.#version("before"); }
  get after() { return this.#version("after"); }
  get hunks() { return host.hunks(this.#index); }

  /** The lines that the change brings in. */
  addedLines() {
    const after = this.after;
    return after ? pick(after.text(), this.hunks.map((hunk) => [hunk.newStart, hunk.newLines])) : [];
  }

  /** The lines that the change takes away, numbered as in the base. */
  removedLines() {
    const before = this.before;
    return before ? pick(before.text(), this.hunks.map((hunk) => [hunk.oldStart, hunk.oldLines])) : [];
  }

  #version(side) {
    const blob = this.#record[side] ?? null;
    return blob && new Version(blob, this.#index, side);
  }
}

class Version {
  #index;
  #side;

  constructor(blob, index, side) {
    Object.assign(this, blob);
    this.#index = index;
    this.#side = side;
  }

  get isRegular() { return this.mode === "file" || this.mode === "executable"; }
  bytes() { return readable(() => host.read(this.#index, this.#side)); }
  text() { return readable(() => host.text(this.#index, this.#side)); }
}

/** The contract's `err` arrives as something thrown that carries the variant. */
function readable(ask) {
  try {
    return ask();
  } catch (thrown) {
    const why = thrown?.payload ?? thrown;
    throw typeof why?.tag === "string" ? new Unreadable(why) : thrown;
  }
}

/** Only a line feed ends a line; a carriage return before it belongs to the ending. Loops, since QuickJS interprets. */
function pick(text, runs) {
  const lines = text.split("\n");
  const picked = [];
  for (const [start, count] of runs) {
    for (let number = start; number < start + count; number++) {
      const line = lines[number - 1];
      const ended = number < lines.length && line.endsWith("\r");
      picked.push({ number, text: ended ? line.slice(0, -1) : line });
    }
  }
  return picked;
}

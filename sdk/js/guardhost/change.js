// The change under judgement. What the host hands out ends with the call, so that nothing is disposed of here.

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
    case "too-large":
      return `it is ${val.size} bytes large and the limit is ${val.limit}`;
    case "not-granted":
      return "the pin does not grant this path";
    default:
      return val;
  }
}

/** Asked once a call: the files stay as they are while a guard judges. */
export function change() {
  const files = host.files().map((handle) => new File(handle));
  return { files, get task() { return task(host.getTask()); }, get commits() { return host.commits().map(commit); } };
}

const task = (handle) => handle && { text: handle.text(), hints: handle.hints(), isCompileFix: handle.isCompileFix() };

const commit = (handle) => ({
  oid: handle.oid(),
  message: handle.message(),
  author: handle.author(),
  trailers: handle.trailers(),
});

class File {
  #handle;

  constructor(handle) {
    this.#handle = handle;
    this.path = handle.path();
  }

  get oldPath() { return this.#handle.oldPath(); }
  get status() { return this.#handle.status(); }
  get before() { return this.#version("before"); }
  get after() { return this.#version("after"); }
  get hunks() { return this.#handle.hunks(); }

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
    const blob = this.#handle.blob(side);
    return blob && new Version(blob, this.#handle, side);
  }
}

class Version {
  #file;
  #side;

  constructor(blob, file, side) {
    Object.assign(this, blob);
    this.#file = file;
    this.#side = side;
  }

  get isRegular() { return this.mode === "file" || this.mode === "executable"; }
  bytes() { return readable(() => this.#file.read(this.#side)); }
  text() { return readable(() => this.#file.text(this.#side)); }
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

import { Unreadable, error, guard, info } from "./guardhost/index.js";

/** @typedef {{ max_line_length: number, todo_owner: boolean }} Settings */

export const { describe, check } = guard({
  id: "{{name}}",
  version: "0.1.0",
  promise: "No line comes in that is too long, and no TODO without an owner.",
  settings: {
    type: "object",
    additionalProperties: false,
    properties: {
      max_line_length: { type: "integer", minimum: 1, default: 120, description: "Characters (Unicode scalar values)." },
      todo_owner: { type: "boolean", default: true, description: "Whether a TODO must name its owner." },
    },
  },
  event: "{{name}}.fail",
  check: (change, /** @type {Settings} */ settings) => change.files.flatMap((file) => judge(file, settings)),
});

/**
 * @param {import("./guardhost/index.js").File} file
 * @param {Settings} settings
 */
function judge(file, settings) {
  if (!file.after?.isRegular) return [];
  try {
    return file.addedLines().flatMap((line) => [...lineFindings(file.path, line, settings)]);
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    return [info("unreadable", `${file.path} was not judged: ${thrown.message}`).file(file.path)];
  }
}

/**
 * @param {string} path
 * @param {import("./guardhost/index.js").Line} line
 * @param {Settings} settings
 */
function* lineFindings(path, line, settings) {
  const limit = settings.max_line_length;
  // `length` counts UTF-16 units, of which a character has one or two; going through characters is slow.
  const length = line.text.length > limit ? [...line.text].length : 0;
  if (length > limit) {
    yield error("long-line", `this line has ${length} characters, ${limit} is the limit`)
      .at(path, line.number)
      .help(`Break it into lines of at most ${limit} characters.`);
  }
  if (settings.todo_owner && unowned(line.text)) {
    yield error("todo-without-owner", "this TODO has no owner")
      .at(path, line.number)
      .help("Write TODO(name), or leave it out.");
  }
}

/**
 * Whether the word TODO stands there without `(name)` right behind it.
 * @param {string} text
 */
function unowned(text) {
  return text.includes("TODO") && /(?<![A-Za-z0-9_])TODO(?![A-Za-z0-9_])(?!\([^()]+\))/.test(text);
}

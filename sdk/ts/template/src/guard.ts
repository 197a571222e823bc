import { Unreadable, error, guard, info, type File, type Finding, type Line } from "../guardhost/index.js";

interface Settings {
  max_line_length: number;
  todo_owner: boolean;
}

export const { describe, check } = guard<Settings>({
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
  check: (change, settings) => change.files.flatMap((file) => judge(file, settings)),
});

function judge(file: File, settings: Settings): Finding[] {
  if (!file.after?.isRegular) return [];
  try {
    return file.addedLines().flatMap((line) => [...lineFindings(file.path, line, settings)]);
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    return [info("unreadable", `${file.path} was not judged: ${thrown.message}`).file(file.path)];
  }
}

function* lineFindings(path: string, line: Line, settings: Settings): Generator<Finding> {
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

/** Whether the word TODO stands there without `(name)` right behind it. */
function unowned(text: string): boolean {
  return text.includes("TODO") && /(?<![A-Za-z0-9_])TODO(?![A-Za-z0-9_])(?!\([^()]+\))/.test(text);
}

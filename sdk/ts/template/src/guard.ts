import { Unreadable, error, guard, info, type File, type Finding } from "../guardhost/index.js";

interface Settings {
  max_line_length: number;
  todo_owner: boolean;
}

export default guard<Settings>({
  id: "{{name}}",
  version: "0.1.0",
  promise: "No line comes in that is too long, and no TODO without an owner.",
  rules: [
    { rule: "long-line", summary: "a new line has more characters than the limit" },
    { rule: "todo-without-owner", summary: "a new TODO names no owner" },
    { rule: "unreadable", summary: "a file is not text, and was not judged" },
  ],
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
    return judgeLines(file, settings);
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    return [info("unreadable", `${file.path} was not judged: ${thrown.message}`).file(file.path)];
  }
}

function judgeLines(file: File, { max_line_length: limit, todo_owner }: Settings): Finding[] {
  const { path } = file;
  const findings: Finding[] = [];
  for (const { number, text } of file.addedLines()) {
    // `length` counts UTF-16 units, of which a character has one or two; going through characters is slow.
    const length = text.length > limit ? [...text].length : 0;
    if (length > limit) {
      findings.push(
        error("long-line", `this line has ${length} characters, ${limit} is the limit`)
          .at(path, number)
          .help(`Break it into lines of at most ${limit} characters.`),
      );
    }
    if (todo_owner && unowned(text)) {
      findings.push(
        error("todo-without-owner", "this TODO has no owner").at(path, number).help("Write TODO(name), or leave it out."),
      );
    }
  }
  return findings;
}

/** Whether the word TODO stands there without `(name)` right behind it. */
function unowned(text: string): boolean {
  return text.includes("TODO") && /(?<![A-Za-z0-9_])TODO(?![A-Za-z0-9_])(?!\([^()]+\))/.test(text);
}

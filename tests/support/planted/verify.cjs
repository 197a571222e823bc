// Ends with 0 when standard input parses as the named format, 1 when not, 3 when nobody here can tell.
const [format] = process.argv.slice(1);
const text = require("fs").readFileSync(0, "utf8");
if (format === "jsonc" || format === "json5") {
  // Both are a part of what JavaScript takes for an expression, so that what it does not take is neither.
  try {
    new (require("vm").Script)("(" + text + "\n)");
  } catch {
    process.exit(1);
  }
} else {
  let typescript;
  try {
    typescript = require("typescript");
  } catch {
    process.exit(3);
  }
  const source = typescript.createSourceFile("file." + format, text, typescript.ScriptTarget.Latest);
  process.exit(source.parseDiagnostics.length ? 1 : 0);
}

// Findings: `error("rule", "message").at("path", 3).help("do this")`.

/** Must be mended before the change may pass. */
export const error = (rule, message) => new Finding("error", rule, message);
/** Worth saying; does not reject by itself. */
export const warning = (rule, message) => new Finding("warning", rule, message);
export const info = (rule, message) => new Finding("info", rule, message);

class Finding {
  constructor(severity, rule, message) {
    this.record = { rule, severity, path: null, line: null, endLine: null, message, help: null, fix: null };
  }

  file(path) { return this.#with({ path }); }
  at(path, line) { return this.#with({ path, line }); }
  to(endLine) { return this.#with({ endLine }); }
  help(help) { return this.#with({ help }); }
  fix(title, edits) { return this.#with({ fix: { title, edits } }); }

  #with(fields) {
    Object.assign(this.record, fields);
    return this;
  }
}

// Findings are plain data, made by `error("rule", "message").at("path", 3).help("do this")` or by hand. They become resources of the
// host when `check` returns.

import * as report from "guardhost:guard/report@0.1.0";

import { bytes, fields, list, offset, oneOf, optional, ordinal, refuse, text, textsByName } from "./shape.js";

/** Must be fixed before the change may pass. */
export const error = (rule, message) => new Finding("error", rule, message);
/** Worth saying; does not reject by itself. */
export const warning = (rule, message) => new Finding("warning", rule, message);
export const info = (rule, message) => new Finding("info", rule, message);

class Finding {
  constructor(severity, rule, message) {
    this.data = { rule, severity, message };
  }

  file(path) { return this.#with({ path }); }
  at(path, line) { return this.#with({ path, line }); }
  to(endLine) { return this.#with({ endLine }); }
  columns(column, endColumn) { return this.#with({ column, endColumn }); }
  help(help) { return this.#with({ help }); }
  fix(title, edits) { return this.#with({ fix: { title, edits } }); }
  related(path, line, endLine, message) { return this.#with({ related: [...(this.data.related ?? []), { path, line, endLine, message }] }); }
  attribute(name, value) { return this.#with({ attributes: { ...this.data.attributes, [name]: value } }); }

  #with(properties) {
    Object.assign(this.data, properties);
    return this;
  }
}

class NotApplicable {
  constructor(reason) {
    this.reason = reason;
  }
}

/** What `check` returns when nothing concerns the guard. */
export const notApplicable = (reason) => new NotApplicable(text(reason, "the reason of notApplicable"));

/** Findings reject when one of them is an error, and are advice otherwise. */
export function verdict(said) {
  if (said instanceof NotApplicable) return { tag: "not-applicable", val: said.reason };
  if (!Array.isArray(said)) refuse("what `check` returns", "a list of findings, or notApplicable(reason)", said);
  const findings = said.map((finding, index) => plain(finding, `finding ${index}`));
  const rejects = findings.some(({ severity }) => severity === "error");
  return { tag: rejects ? "reject" : "pass", val: findings.map(handOver) };
}

const EDIT = { path: text, start: offset, end: offset, replacement: bytes };
const FIX = { title: text, edits: list((edit, where) => fields(edit, where, EDIT)) };
const RELATED = { path: text, line: ordinal, endLine: optional(ordinal), message: text };
const FINDING = {
  rule: text,
  severity: oneOf("error", "warning", "info"),
  message: text,
  path: optional(text),
  line: optional(ordinal),
  endLine: optional(ordinal),
  column: optional(ordinal),
  endColumn: optional(ordinal),
  help: optional(text),
  fix: optional((fix, where) => fields(fix, where, FIX)),
  related: optional(list((place, where) => fields(place, where, RELATED))),
  attributes: optional(textsByName),
};

function plain(finding, where) {
  const data = finding instanceof Finding ? finding.data : finding;
  const named = typeof data?.rule === "string" ? `${where} (${data.rule})` : where;
  return fields(data, named, FINDING);
}

function handOver({ rule, severity, message, path, line, endLine, column, endColumn, help, fix, related, attributes }) {
  const said = new report.Finding(rule, severity, message);
  if (path !== undefined) said.setPath(path);
  if (line !== undefined) said.setLines(line, endLine ?? line);
  if (column !== undefined) said.setColumns(column, endColumn ?? column);
  if (help !== undefined) said.setHelp(help);
  if (fix !== undefined) said.setFix(fix.title, fix.edits);
  for (const place of related ?? []) said.addRelated(place.path, place.line, place.endLine ?? place.line, place.message);
  for (const [name, value] of Object.entries(attributes ?? {})) said.setAttribute(name, value);
  return said;
}

// From a description and a function to what the host calls.

import { Description } from "guardhost:guard/report@0.1.0";

import { change } from "./change.js";
import { verdict } from "./finding.js";
import { fields, list, listOfTexts, optional, refuse, text, textsByName } from "./shape.js";

/** What `guard` returned, with how the host describes and asks it. */
class Guard {
  constructor(about, check) {
    this.about = about;
    this.check = check;
  }
}

const NEED = { capability: text, why: text, paths: optional(listOfTexts) };
const RULE = { rule: text, summary: text, url: optional(text) };
const ABOUT = {
  id: text,
  version: text,
  promise: text,
  mark: optional(text),
  event: optional(text),
  stages: optional(listOfTexts),
  globs: optional(listOfTexts),
  needs: optional(list((need, where) => fields(need, where, NEED))),
  rules: optional(list((rule, where) => fields(rule, where, RULE))),
  attributes: optional(textsByName),
  settings: optional((schema, where) => (typeof schema === "object" && schema ? schema : refuse(where, "an object", schema))),
  check: (check, where) => (typeof check === "function" ? check : refuse(where, "a function", check)),
};

/** Looks at the description while the component is built, so that a mistake in it ends the build. */
export function guard(about) {
  const { check, ...said } = fields(about, "guard", ABOUT);
  return new Guard(said, check);
}

/** What the component exports, from the namespace of the author's module. */
export function exportsOf(author, module) {
  if (!(author.default instanceof Guard)) throw new Error(`${module} has no \`export default guard({ … })\``);
  const { about, check } = author.default;
  const defaults = defaultsOf(about.settings);
  return {
    metadata: { describe: () => describe(about) },
    judge: {
      check(settings) {
        try {
          return verdict(check(change(), { ...defaults, ...JSON.parse(settings) }));
        } catch (thrown) {
          // A thrown string is the contract's `err`.
          throw reason(thrown);
        }
      },
    },
  };
}

function describe({ id, version, promise, mark, event, stages, globs, needs, rules, attributes, settings }) {
  const said = new Description(id, version, promise);
  if (mark) said.setMark(mark);
  if (event) said.setEvent(event);
  if (settings) said.setSettingsSchema(JSON.stringify(settings));
  for (const stage of stages ?? []) said.addStage(stage);
  for (const glob of globs ?? []) said.addGlob(glob);
  for (const { capability, why, paths } of needs ?? []) {
    if (paths) said.addNeedOfPaths(capability, paths, why);
    else said.addNeed(capability, why);
  }
  for (const { rule, summary, url } of rules ?? []) said.addRule(rule, summary, url ?? null);
  for (const [name, value] of Object.entries(attributes ?? {})) said.setAttribute(name, value);
  return said;
}

/** The defaults that a settings schema names. */
function defaultsOf(schema) {
  const properties = Object.entries(schema?.properties ?? {});
  return Object.fromEntries(properties.filter(([, rule]) => "default" in rule).map(([name, rule]) => [name, rule.default]));
}

/** What a capability throws carries the contract's variant as its payload. */
function reason(thrown) {
  if (!(thrown instanceof Error)) return String(thrown);
  const payload = thrown.payload === undefined ? "" : ` ${JSON.stringify(thrown.payload)}`;
  return `${thrown}${payload}\n${thrown.stack ?? ""}`.trimEnd();
}

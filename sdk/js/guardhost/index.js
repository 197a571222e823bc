// Write a guard for Guardhost in JavaScript or TypeScript: one function call. Types and documentation: index.d.ts.

import "./sandbox.js";
import { change } from "./change.js";

export { error, info, warning } from "./finding.js";
export { Unreadable } from "./change.js";
export * as log from "./log.js";

/** What `check` returns when nothing concerns the guard. */
export const notApplicable = (reason) => ({ tag: "not-applicable", val: reason });

/** The two exports of a guard. */
export function guard(about) {
  const description = {
    id: about.id,
    version: about.version,
    mark: about.mark ?? "",
    promise: about.promise,
    stages: about.stages ?? ["content"],
    globs: about.globs ?? [],
    needs: about.needs ?? [],
    settingsSchema: JSON.stringify(about.settings ?? { type: "object", additionalProperties: false }),
    event: about.event,
  };
  return {
    describe: () => description,
    check(text) {
      try {
        return verdict(about.check(change(), { ...defaults(about.settings), ...JSON.parse(text) }));
      } catch (thrown) {
        // A thrown string is the contract's `err`.
        throw thrown instanceof Error ? `${thrown}\n${thrown.stack ?? ""}`.trimEnd() : String(thrown);
      }
    },
  };
}

/** The defaults that a settings schema names. */
function defaults(schema) {
  const properties = Object.entries(schema?.properties ?? {});
  return Object.fromEntries(properties.filter(([, rule]) => "default" in rule).map(([name, rule]) => [name, rule.default]));
}

/** Findings reject when one of them is an error, and are advice otherwise. */
function verdict(said) {
  if (!Array.isArray(said)) return said;
  const findings = said.map((finding) => finding.record ?? finding);
  return { tag: findings.some((finding) => finding.severity === "error") ? "reject" : "pass", val: findings };
}

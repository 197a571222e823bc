// Write a guard for Guardhost in JavaScript or TypeScript: one function call. Types and documentation: index.d.ts.

import "./sandbox.js";

export { guard } from "./guard.js";
export { error, info, notApplicable, warning } from "./finding.js";
export { Unreadable } from "./change.js";
export * as log from "./log.js";

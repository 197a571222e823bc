// Lines for people and figures for records.

import * as host from "guardhost:guard/log@0.1.0";

const spoken = (value) => (typeof value === "string" ? value : value instanceof Error ? `${value}` : JSON.stringify(value) ?? `${value}`);
const line = (level) => (...values) => host.line(level, values.map(spoken).join(" "));

export const debug = line("debug");
export const info = line("info");
export const warn = line("warn");
/** A figure that belongs to this verdict, such as a score. */
export const metric = (name, value) => host.metric(name, value);

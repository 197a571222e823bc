// What a script expects of its surroundings and a guard does not have. Without this file, looking at the clock ends the guard with a
// trap and no word.

import * as log from "./log.js";

globalThis.console = { log: log.info, info: log.info, debug: log.debug, warn: log.warn, error: log.warn };

const none = (what) => () => {
  throw new Error(`a guard has no ${what}`);
};
const now = none("clock");

globalThis.Date = new Proxy(Date, {
  apply: now,
  construct: (date, given, target) => (given.length === 0 ? now() : Reflect.construct(date, given, target)),
  get: (date, name) => (name === "now" ? now : date[name]),
});
globalThis.performance = { now };
// The engine's own would repeat one sequence, and another after each build.
Math.random = none("random numbers");

// What the compiler begins with: it makes the component's exports from the guard of ../src/guard.ts, which tsc has compiled.

import { exportsOf } from "./guard.js";
import * as author from "../build/guard.js";

export const { metadata, judge } = exportsOf(author, "src/guard.ts");

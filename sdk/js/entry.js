// What the compiler begins with: it makes the component's exports from the guard of ../guard.js.

import { exportsOf } from "./guard.js";
import * as author from "../guard.js";

export const { metadata, judge } = exportsOf(author, "guard.js");

#!/usr/bin/env node
/* The page counts
   what comes in. */
import { sum } from "./sum";

// eslint-disable-next-line no-console
const text = `first  line

  // not a comment ${sum(1,  2)}
`;
const inner = `a ${`first  line

  // not a comment`} b`;
const raw = String.raw`first  line

  // not a comment \`;
`;
const pattern = /a  b\/\* "/g;
const quoted = 'one  two // three';

/** What it returns. */
export function count(votes, limit = 10) {
  let total = 0;
  for (const vote of votes) {
    // A vote counts once.
    if (pattern.test(vote)) {
      total += 1; // one more
    }
  }
  return /* the larger */ total > limit ? total : limit;
}

export class Box {
  size = text.length   +   quoted.length;

  rest() {
    return
    this.size;
  }
}

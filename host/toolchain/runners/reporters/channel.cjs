// Writes records of a test run to the descriptor that the host gave to the test runner, and to no process that the runner starts. Each
// line begins with a key that can be read once.
'use strict';
const { readSync, writeSync } = require('node:fs');

const DESCRIPTOR = Number(process.env.GUARDHOST_REPORT);
const KEY = 32;

const line = Buffer.alloc(KEY + 1);
for (let read = 0; read < line.length;) {
  const more = readSync(DESCRIPTOR, line, read, line.length - read, null);
  if (more === 0) throw new Error('the host closed the descriptor of the report');
  read += more;
}
const key = line.toString('latin1', 0, KEY);
const { stringify } = JSON;
let tests = 0;

function write(value) {
  let bytes = Buffer.from(`${key} ${stringify(value)}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(DESCRIPTOR, bytes));
}

/** name: titles from the outermost suite to the test; empty for a whole file. outcome: passed, failed, errored or skipped. */
exports.test = (name, file, outcome, detail) => {
  tests += 1;
  write({ test: { name, file: file ?? null, outcome, detail: String(detail ?? '').slice(0, 8192) } });
};

/** The last record: without it a report is incomplete. */
exports.end = () => write({ end: { tests } });

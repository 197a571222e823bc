// A guard in AssemblyScript, by the table of layouts in sdk/README.md: no FIXME comes in.

// @ts-ignore: decorator
@external("guardhost:guard/change@0.1.0", "files") declare function files(answer: usize): void;
// @ts-ignore: decorator
@external("guardhost:guard/change@0.1.0", "[method]file.path") declare function path(file: i32, answer: usize): void;
// @ts-ignore: decorator
@external("guardhost:guard/change@0.1.0", "[method]file.text") declare function text(file: i32, side: i32, answer: usize): void;
// @ts-ignore: decorator
@external("guardhost:guard/change@0.1.0", "[method]file.hunks") declare function hunks(file: i32, answer: usize): void;
// @ts-ignore: decorator
@external("guardhost:guard/report@0.1.0", "[constructor]description")
declare function description(id: usize, idLength: i32, version: usize, versionLength: i32, promise: usize, promiseLength: i32): i32;
// @ts-ignore: decorator
@external("guardhost:guard/report@0.1.0", "[constructor]finding")
declare function finding(rule: usize, ruleLength: i32, severity: i32, message: usize, messageLength: i32): i32;
// @ts-ignore: decorator
@external("guardhost:guard/report@0.1.0", "[method]finding.set-path")
declare function setPath(finding: i32, path: usize, length: i32): void;
// @ts-ignore: decorator
@external("guardhost:guard/report@0.1.0", "[method]finding.set-lines")
declare function setLines(finding: i32, first: i32, last: i32): void;
// @ts-ignore: decorator
@external("guardhost:guard/log@0.1.0", "line") declare function logLine(level: i32, text: usize, length: i32): void;

const AFTER = 1;
const ERROR = 0;

/** UTF-8, at an address. AssemblyScript's own strings are UTF-16. */
class Text {
  at: usize;
  length: i32;
  constructor(words: string) {
    const bytes = String.UTF8.encode(words);
    this.at = changetype<usize>(bytes);
    this.length = bytes.byteLength;
  }
}

export function cabi_realloc(old: usize, oldSize: i32, align: i32, size: i32): usize {
  return old == 0 ? heap.alloc(size) : heap.realloc(old, size);
}

export function describe(): i32 {
  const id = new Text("no-fixme"), version = new Text("0.1.0"), promise = new Text("No FIXME comes in.");
  return description(id.at, id.length, version.at, version.length, promise.at, promise.length);
}

export function check(settings: usize, length: i32): usize {
  const answer = heap.alloc(32);
  files(answer);
  const list = load<usize>(answer), count = load<i32>(answer, 4);
  const found = new Array<i32>();
  for (let i = 0; i < count; i++) judge(load<i32>(list + 4 * i), found);
  // result<verdict, string>: ok; pass, or reject; a list of handles.
  const verdict = heap.alloc(16);
  store<u8>(verdict, 0);
  store<u8>(verdict, found.length > 0 ? 1 : 0, 4);
  store<usize>(verdict, found.dataStart, 8);
  store<i32>(verdict, found.length, 12);
  return verdict;
}

function judge(file: i32, found: Array<i32>): void {
  const answer = heap.alloc(32);
  hunks(file, answer);
  const runs = load<usize>(answer), count = load<i32>(answer, 4);
  text(file, AFTER, answer);
  if (load<u8>(answer) != 0) return; // no text
  let at = load<usize>(answer, 8);
  const end = at + load<i32>(answer, 12);
  for (let line = 1, run = 0; at < end; line++) {
    let stop = at;
    while (stop < end && load<u8>(stop) != 10) stop++;
    while (run < count && line >= load<i32>(runs + 16 * run, 8) + load<i32>(runs + 16 * run, 12)) run++;
    if (run < count && line >= load<i32>(runs + 16 * run, 8) && holds(at, stop)) found.push(report(file, line));
    at = stop + 1;
  }
}

function report(file: i32, line: i32): i32 {
  const rule = new Text("fixme"), message = new Text("a FIXME comes in");
  const said = finding(rule.at, rule.length, ERROR, message.at, message.length);
  const answer = heap.alloc(8);
  path(file, answer);
  setPath(said, load<usize>(answer), load<i32>(answer, 4));
  setLines(said, line, line);
  return said;
}

function holds(at: usize, end: usize): bool {
  for (; at + 5 <= end; at++) {
    if (load<u8>(at) == 0x46 && load<u32>(at, 1) == 0x454d5849) return true; // "F", and "IXME" read as little-endian
  }
  return false;
}

/** Where a failed assertion ends, as `--use abort=guard/abort` says. */
function abort(message: string, file: string, line: u32, column: u32): void {
  const said = new Text(`${message} at ${line.toString()}:${column.toString()}`);
  logLine(3, said.at, said.length);
  unreachable();
}

// What a guard may import beyond the change, each with its line in wit/world.wit and a grant. The contract's own words are in wit/deps.
// A function that cannot answer throws an Error whose `payload` is `{ tag, val }`: the contract's `denied`, `unreadable` or `unknown`.

// Needs no grant.
declare module "guardhost:files/kinds@0.1.0" {
  export function kindOf(path: string): string;
}

declare module "guardhost:repo/tree@0.1.0" {
  type Side = "before" | "after";
  export function stat(side: Side, path: string): { oid: string; mode: "file" | "executable" | "symlink" | "submodule"; size: number } | null;
  export function isDir(side: Side, path: string): boolean;
  export function read(side: Side, path: string): Uint8Array;
  export function text(side: Side, path: string): string;
  export function find(side: Side, globs: string[], limit: number): string[];
  export function search(
    side: Side,
    needles: string[],
    globs: string[],
    limit: number,
  ): { path: string; line: number; needle: number; text: string }[];
}

declare module "guardhost:commits/commits@0.1.0" {
  interface Commit {
    oid(): string | null;
    message(): string;
    author(): { name: string; email: string };
    trailers(): { key: string; value: string }[];
  }
  export function touching(path: string, limit: number): Commit[];
  export function recentEdits(
    paths: string[],
    days: number,
  ): {
    commit: Commit;
    daysBefore: number;
    files: { path: string; before: string; lines: { old: string[]; new: string[] }[] | null }[];
  }[];
}

declare module "guardhost:facts/facts@0.1.0" {
  type Side = "before" | "after";
  interface Manifest {
    path(): string;
    ecosystem(): string;
    name(): string | null;
    dependencies(): { name: string; requirement: string; kind: string }[];
    elsewhere(): string[];
    problem(): string | null;
  }
  export function manifests(side: Side): Manifest[];
  export function languages(side: Side): { name: string; files: number; bytes: number }[];
  export function frameworks(side: Side): string[];
  export function entryPoints(side: Side): string[];
}

declare module "guardhost:language/languages@0.1.0" {
  type Side = "before" | "after";
  interface Language {
    name: string;
    endings: string[];
    lineComments: string[];
    blockComments: [string, string][];
    sleepMarks: string[];
    errorMarks: string[];
    hasSyntax: boolean;
    hasOutline: boolean;
  }
  interface Lines {
    first: number;
    last: number;
  }
  interface Span {
    start: number;
    end: number;
  }
  interface Problem {
    line: number;
    column: number | null;
    message: string;
    advice: string | null;
    unclosed: { at: Span; line: number; closer: string } | null;
    wholeAs: string | null;
    isCertain: boolean;
  }
  interface Skip {
    kind: "skipped" | "may-fail" | "empty" | "cut" | "focused";
    line: number;
    mark: string;
    reason: string;
  }
  interface Definition {
    name: string;
    owner: string | null;
    kind: "function" | "method" | "class" | "fixture" | "test" | "module" | "value";
    lines: Lines;
    body: "real" | "empty" | "stub" | "declared";
    bases: string[];
    noun: string | null;
    visibility: "public" | "internal" | "private" | "unstated";
    annotations: string[];
    skip: Skip | null;
    assertions: number | null;
  }
  interface NameUse {
    name: string;
    line: number;
  }
  interface Outline {
    definitions: Definition[];
    inner: Definition[];
    bound: string[];
    top: string[];
    offered: string[];
    globs: string[];
    isOpen: boolean;
    uses: NameUse[];
    members: { object: string; member: string; line: number }[];
    imports: { module: string; name: string | null; local: string; line: number; isOptional: boolean }[];
    fixturesWanted: NameUse[];
    parametrized: string[];
    comments: { line: number; text: string }[];
    dead: Span[];
    focused: { title: string; mark: Skip }[];
    swallowed: { lines: Lines; form: string; isMeant: boolean }[];
  }
  /** The `payload` of the Error where there is no answer. */
  type Unknown =
    | { tag: "absent" | "not-granted" | "unsupported" | "broken" | "too-deep" | "beyond-limit" }
    | { tag: "foreign" | "unreadable" | "failed" | "other"; val: string };
  export function languageOf(path: string): Language | null;
  export function problemsOf(side: Side, path: string): Problem[];
  export function problemsOfText(path: string, text: string): Problem[];
  export function outlineOf(side: Side, path: string): Outline;
}

declare module "guardhost:modules/modules@0.1.0" {
  type Side = "before" | "after";
  interface Lines {
    first: number;
    last: number;
  }
  interface Imported {
    module: string;
    name: string | null;
    local: string;
    line: number;
    statement: Lines;
    need: "required" | "optional" | "for-types";
    isLocal: boolean;
  }
  interface Parameter {
    name: string;
    isRequired: boolean;
    isNameless: boolean;
  }
  interface Function {
    key: string;
    line: number;
    positional: Parameter[];
    keywordOnly: Parameter[];
    takesMore: boolean;
    takesKeywords: boolean;
    isOpen: boolean;
    exportedAs: string[];
  }
  type Target =
    | { tag: "same-file" | "imported" | "other"; val: string }
    | { tag: "member"; val: { module: string; name: string } };
  interface Call {
    target: Target;
    positional: number;
    keywords: string[];
    spreads: boolean;
    spreadsKeywords: boolean;
    lines: Lines;
    excusedBy: number | null;
  }
  export function imports(side: Side, path: string): Imported[];
  export function offers(
    side: Side,
    path: string,
  ): { names: string[]; allOf: string[]; isOpen: boolean; movesPath: boolean };
  export function functions(side: Side, path: string): Function[];
  export function calls(side: Side, path: string): Call[];
}

declare module "guardhost:net/net@0.1.0" {
  type Liveness = { tag: "alive"; val: number } | { tag: "gone" | "unknown" | "refused" | "other"; val: string };
  export function probe(urls: string[]): Liveness[];
}

declare module "guardhost:registry/registry@0.1.0" {
  type Standing =
    | { tag: "published"; val: { days?: number; versions?: number } }
    | { tag: "missing" | "unknown" | "other"; val: string };
  export function lookUp(packages: { ecosystem: string; name: string }[]): Standing[];
}

declare module "guardhost:model/model@0.1.0" {
  interface Question {
    role: string;
    text: string;
    schema: string;
    member: number;
  }
  type Answer =
    | { tag: "ok"; val: { json: string; by: string } }
    | { tag: "err"; val: { tag: "unreadable" | "no-answer" | "exhausted" | "other"; val: string } };
  export function ask(questions: Question[]): Answer[];
}

declare module "guardhost:toolchain/toolchain@0.1.0" {
  type Side = "before" | "after";
  interface TestReport {
    runner(): string;
    project(): string;
    notRun(): string | null;
    tests(): { id: string; path: string | null; outcome: "passed" | "failed" | "errored" | "skipped"; detail: string }[];
    isComplete(): boolean;
    output(): string;
  }
  interface BuildReport {
    tool(): string;
    project(): string;
    notRun(): string | null;
    isOk(): boolean;
    diagnostics(): { path: string | null; line: number | null; message: string }[];
    output(): string;
  }
  export function runTests(side: Side): TestReport[];
  export function runBaseTests(): TestReport[];
  type Replacement = { tag: "as-other-side" } | { tag: "content"; val: Uint8Array };
  export function runTestsWith(
    side: Side,
    replaced: { path: string; by: Replacement }[],
    selection: { paths: string[]; untilFailure: boolean; seconds: number },
  ): TestReport[];
  export function runTestsCovered(
    side: Side,
    selection: { paths: string[]; untilFailure: boolean; seconds: number },
  ): {
    runner: string;
    project: string;
    notKnown: string | null;
    files: { path: string; run: Uint32Array; notRun: Uint32Array }[];
  }[];
  export function runBuild(side: Side): BuildReport[];
  export function runLinters(side: Side): BuildReport[];
}

declare module "guardhost:history/history@0.1.0" {
  interface Outcome {
    run(): string;
    step(): string;
    ageHours(): number;
    result(): string;
    touched(): string[];
    rejectedBy(): string[];
  }
  export function outcomes(windowHours: number, limit: number): Outcome[];
}

// Write a guard for Guardhost in JavaScript or TypeScript.

/// <reference path="./capabilities.d.ts" />

/** When a guard is asked. `content`: the text that a change brings in. Later hosts may know more. */
export type Stage = "patch" | "content" | "command" | "score" | (string & {});
export type Status = "added" | "modified" | "deleted" | "renamed" | "copied" | "type-changed";
export type Mode = "file" | "executable" | "symlink" | "submodule";

/** What a guard says of itself, and how it judges. */
export interface About<Settings> {
  /** Kebab-case, 1 to 64 bytes; the id under which it is pinned. */
  id: string;
  /** Semver of the guard itself. */
  version: string;
  /** One sentence: what a change that passes can be relied on to hold. */
  promise: string;
  /** The short mark in reports, such as `G13`. */
  mark?: string;
  /** Name of the trace event when it rejects. */
  event?: string;
  /** Default: `["content"]`. */
  stages?: Stage[];
  /** Gitignore-style globs of the paths that concern it; none means every path. */
  globs?: string[];
  /** Capabilities beyond the package `guardhost:guard`. Each has a line in wit/world.wit, too. */
  needs?: Need[];
  /** Rules of which findings may speak. */
  rules?: Rule[];
  /** JSON Schema (2020-12) of the settings, an object. The host checks settings against it; `default`s are filled in. */
  settings?: Schema;
  /** Anything else. A host ignores names that it does not know. */
  attributes?: Record<string, string>;
  /**
   * Judges the change: every finding, not the first; none is a pass. What it throws means that the guard itself failed, and
   * rejects.
   */
  check(change: Change, settings: Settings): (Finding | FindingData)[] | NotApplicable;
}

export interface Need {
  /** The name of its package, such as `repo`. */
  capability: string;
  /** Shown to whoever grants it. */
  why: string;
  /** Gitignore-style globs, when a grant for these files is enough. */
  paths?: string[];
}

export interface Rule {
  rule: string;
  summary: string;
  /** Where it is documented: an https address. */
  url?: string;
}

export interface Schema {
  type: "object";
  additionalProperties: false;
  properties?: Record<string, { default?: unknown; description?: string; [keyword: string]: unknown }>;
  [keyword: string]: unknown;
}

declare const made: unique symbol;
export interface Guard {
  readonly [made]: "guard";
}

/** The guard of a module: `export default guard({…})`. */
export function guard<Settings = Record<string, never>>(about: About<Settings>): Guard;

export interface NotApplicable {
  readonly [made]: "not-applicable";
}
/** Nothing here concerns this guard, and why. */
export function notApplicable(reason: string): NotApplicable;

export interface Change {
  /** Touched files that concern this guard, sorted by the bytes of their path. */
  readonly files: File[];
  /** What the model was asked to do; null when the change is judged without a task. */
  readonly task: Task | null;
  /** The commits that make the change, oldest first; none when no message is known, as for staged files. */
  readonly commits: Commit[];
}

export interface Task {
  text: string;
  /** Paths that the task names as its scope; empty means that none were given. */
  hints: string[];
  /** The build was broken and only that is to be fixed. */
  isCompileFix: boolean;
}

export interface Commit {
  /** Hex object id; null for a commit that is not made yet. */
  oid: string | null;
  message: string;
  author: { name: string; email: string };
  trailers: { key: string; value: string }[];
}

export interface File {
  /** Relative to the repository's root, `/` between parts. */
  readonly path: string;
  /** Where a renamed or copied file came from. */
  readonly oldPath: string | null;
  readonly status: Status;
  /** The file in the base; null when it is added. */
  readonly before: Version | null;
  /** The file in the candidate; null when it is deleted. */
  readonly after: Version | null;
  /** What differs, without context; empty when either side is not text. */
  readonly hunks: Hunk[];
  /** The lines that the change brings in. Throws `Unreadable`. */
  addedLines(): Line[];
  /** The lines that the change takes away, numbered as in the base. Throws `Unreadable`. */
  removedLines(): Line[];
}

/** One side of a touched file. */
export interface Version {
  /** Hex object id of the content, as git names it. */
  readonly oid: string;
  readonly mode: Mode;
  /** Bytes. */
  readonly size: number;
  /** Content of its own: not a link, not a submodule. */
  readonly isRegular: boolean;
  /** As git holds it. Throws `Unreadable`. */
  bytes(): Uint8Array;
  /** Decoded by the host, without a byte order mark; line endings stay as they are. Throws `Unreadable`. */
  text(): string;
}

/** Lines count from 1; a count of 0 means that nothing stands there on that side. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

export interface Line {
  /** From 1. */
  number: number;
  /** Without its line ending. */
  text: string;
}

/** There is no text, and why. */
export class Unreadable extends Error {
  readonly kind: "absent" | "not-text" | "too-large" | "not-granted" | "other";
}

/** Must be fixed before the change may pass. `rule` is kebab-case and stable: people filter by it. */
export function error(rule: string, message: string): Finding;
/** Worth saying; does not reject by itself. */
export function warning(rule: string, message: string): Finding;
export function info(rule: string, message: string): Finding;

/** Each method changes the finding and gives it back. */
export interface Finding {
  /** The file that is meant, as a whole. */
  file(path: string): Finding;
  /** A line of the candidate's file, from 1 (of the base's when the file is deleted). */
  at(path: string, line: number): Finding;
  /** The last line, inclusive, of what begins at `at`. */
  to(endLine: number): Finding;
  /** First column in the first line, and last column in the last one, from 1, counted in Unicode scalar values. */
  columns(column: number, endColumn: number): Finding;
  /** What to do instead, in words that a model can act on. */
  help(help: string): Finding;
  /** A mechanical remedy. Offsets count bytes of the candidate's file. */
  fix(title: string, edits: Edit[]): Finding;
  /** Another place that explains this one: its first and last line, and what is there. */
  related(path: string, line: number, endLine: number, message: string): Finding;
  /** Anything else. A host ignores names that it does not know. */
  attribute(name: string, value: string): Finding;
}

/** A finding, as plain data. */
export interface FindingData {
  rule: string;
  severity: "error" | "warning" | "info";
  message: string;
  path?: string | null;
  line?: number | null;
  endLine?: number | null;
  column?: number | null;
  endColumn?: number | null;
  help?: string | null;
  fix?: { title: string; edits: Edit[] } | null;
  related?: { path: string; line: number; endLine?: number | null; message: string }[] | null;
  attributes?: Record<string, string> | null;
}

/** Replaces the bytes from `start` to `end` (exclusive). */
export interface Edit {
  path: string;
  start: number;
  end: number;
  replacement: Uint8Array;
}

/** Lines for people and figures for records; never shown to a model. `console` writes here too. */
export namespace log {
  function debug(...values: unknown[]): void;
  function info(...values: unknown[]): void;
  function warn(...values: unknown[]): void;
  function metric(name: string, value: number): void;
}

declare global {
  interface Console {
    debug(...values: any[]): void;
    info(...values: any[]): void;
    log(...values: any[]): void;
    warn(...values: any[]): void;
    error(...values: any[]): void;
  }
  var console: Console;
}

// Write a guard for Guardhost in JavaScript or TypeScript.

/** When a guard is asked. `content`: the text that a change brings in. */
export type Stage = "patch" | "content" | "command" | "score";
export type Status = "added" | "modified" | "deleted" | "renamed" | "copied";
export type Mode = "file" | "executable" | "symlink" | "submodule";

/** What a guard says of itself, and how it judges. */
export interface About<Settings> {
  /** Kebab-case, 1 to 64 bytes; the id under which it is pinned. */
  id: string;
  /** Semver of the guard itself. */
  version: string;
  /** The short mark in reports, such as `G13`. */
  mark?: string;
  /** One sentence: what a change that passes can be relied on to hold. */
  promise: string;
  /** Default: `["content"]`. */
  stages?: Stage[];
  /** Gitignore-style globs of the paths that concern it; none means every path. */
  globs?: string[];
  /** Imports beyond `change` and `log`, each with the reason that whoever grants it will read. */
  needs?: { name: string; why: string }[];
  /** JSON Schema (2020-12) of the settings, an object. The host checks settings against it; `default`s are filled in. */
  settings?: Schema;
  /** Name of the trace event when it rejects. */
  event: string;
  /**
   * Judges the change: every finding, not the first; none is a pass. What it throws means that the guard itself failed, and
   * rejects.
   */
  check(change: Change, settings: Settings): (Finding | Verdict)[] | Verdict;
}

export interface Schema {
  type: "object";
  additionalProperties: false;
  properties?: Record<string, { default?: unknown; description?: string; [keyword: string]: unknown }>;
  [keyword: string]: unknown;
}

/** The two exports of a guard: `export const { describe, check } = guard({…})`. */
export function guard<Settings = Record<string, never>>(about: About<Settings>): { describe(): unknown; check(settings: string): unknown };

declare const verdict: unique symbol;
export interface Verdict {
  readonly [verdict]: true;
}
/** Nothing here concerns this guard, and why. */
export function notApplicable(reason: string): Verdict;

export interface Change {
  /** Touched files that concern this guard, sorted by the bytes of their path. */
  readonly files: File[];
  /** What the model was asked to do; null when the change is judged without a task. */
  readonly task: { text: string; hints: string[]; mode: "normal" | "compile-fix" } | null;
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
  readonly size: bigint;
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
  readonly kind: "absent" | "not-text" | "too-large";
}

/** Must be mended before the change may pass. `rule` is kebab-case and stable: people filter by it. */
export function error(rule: string, message: string): Finding;
/** Worth saying; does not reject by itself. */
export function warning(rule: string, message: string): Finding;
export function info(rule: string, message: string): Finding;

export interface Finding {
  /** The file that is meant, as a whole. */
  file(path: string): Finding;
  /** A line of the candidate's file, from 1 (of the base's when the file is deleted). */
  at(path: string, line: number): Finding;
  /** The last line, inclusive, of what begins at `at`. */
  to(endLine: number): Finding;
  /** What to do instead, in words that a model can act on. */
  help(help: string): Finding;
  /** A mechanical remedy. Offsets count bytes of the candidate's file. */
  fix(title: string, edits: { path: string; start: bigint; end: bigint; replacement: Uint8Array }[]): Finding;
}

/** Lines for people and figures for records; never shown to a model. `console` writes here too. */
export namespace log {
  function debug(...values: unknown[]): void;
  function info(...values: unknown[]): void;
  function warn(...values: unknown[]): void;
  function metric(name: string, value: number): void;
}

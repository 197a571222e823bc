//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("error-swallowed", "code gains a handler that catches every error and does nothing: `except Exception: pass`, `catch (e) {}`, `rescue` without a line, `if err != nil {}`. A warning where a comment says why, or where only one kind of error is caught"),
    Rule::new("error-discarded", "an error that the base handled is thrown away: `_ = f()` or `let _ = f()` in place of what looked at it, `.catch(() => {})` in place of `await`, a handler that gives a constant where it raised; code that gives one in the very place where it raised (an error where a model made the change); or `suppress(Exception)` comes. A warning where a comment says why, where something is logged, or where only one kind of error is caught"),
    Rule::new("check-dropped", "a check goes by which the code left (`return`, `throw`, `raise`), and what it asked for is still worked out and asked for nowhere"),
    Rule::new("not-awaited", "work is begun that nobody waits for: `forEach(async …)` and `filter(async …)`, whose promises are always true, or a statement that calls a coroutine of its own module without `await`"),
    Rule::new("file-unchecked", "a comment tells a checker to leave a whole file out: `# mypy: ignore-errors`, `/* eslint-disable */`, `// @ts-nocheck`, `#![allow(warnings)]` and the like. A warning in a file that says that a program wrote it"),
    Rule::new("lines-unchecked", "warning: comments tell a checker to leave lines out, or a value is cast to `any`; how many of them the change adds"),
    Rule::new("not-judged", "info: handlers of a file were not looked for, because the change is larger than one call can read"),
];

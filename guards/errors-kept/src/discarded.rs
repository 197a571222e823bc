//! Errors that the base handled and the change throws away: a result that nobody looks at, a handler that gives a constant where it let the
//! error go up. What a program throws away from the start may be meant; here somebody had cared.

use guard_sdk::files::{Language, is_tooling};
use guard_sdk::{File, Finding, Line as FileLine, Severity};
use lexing::Line;

use crate::depth;

/// A line that throws an error away, as a programmer would name it.
struct Discarded {
    line: u32,
    what: String,
    is_mild: bool,
}

/// Signs in the new lines of a change without which nothing is thrown away.
const SIGNS: [&str; 7] = ["_ =", "_ :=", ".ok()", ".catch(", "return", "suppress(", "continue"];

/// Whether a change may throw an error away: one of its new lines has a sign of it, and the base had something in its place, unless a line hides
/// errors by itself.
pub fn may_be_in(file: &File, new: &[FileLine], language: Language) -> bool {
    let takes_away = file.hunks().iter().any(|hunk| hunk.old_lines > 0);
    let may = |line: &FileLine| {
        line.text.contains("suppress(") || (takes_away && SIGNS.iter().any(|sign| line.text.contains(sign)))
    };
    is_read(language) && new.iter().any(may)
}

fn is_read(language: Language) -> bool {
    matches!(
        language,
        Language::Python
            | Language::JavaScript
            | Language::TypeScript
            | Language::Go
            | Language::Rust
            | Language::Java
            | Language::Kotlin
            | Language::CSharp
    )
}

pub fn find(file: &File, before: &[Line], after: &[Line], language: Language) -> Vec<Finding> {
    if !is_read(language) {
        return Vec::new();
    }
    let suppressing = Suppressing::new(before, after, language);
    let mut found: Vec<Discarded> = Vec::new();
    for hunk in file.hunks() {
        let part = |lines: &[Line], start: u32, count: u32| -> Vec<usize> {
            let first = start.saturating_sub(1) as usize;
            (first..(first + count as usize).min(lines.len())).collect()
        };
        let (old, new) = (part(before, hunk.old_start, hunk.old_lines), part(after, hunk.new_start, hunk.new_lines));
        let stays = |lines: &[Line], all: &[usize], line: &Line| {
            all.iter().any(|at| lines[*at].text.trim() == line.text.trim())
        };
        let went: Vec<&Line> = old.iter().map(|at| &before[*at]).filter(|line| !stays(after, &new, line)).collect();
        for at in new.iter().copied().filter(|at| after[*at].begins_in_code) {
            // What a handler gives may have stood in a branch of it, and be all of it now.
            let was_there = old.iter().any(|was| before[*was].text.trim_end() == after[at].text.trim_end());
            found.extend(if was_there { None } else { constant(&went, before, after, at, language) });
            if !stays(before, &old, &after[at]) {
                found.extend(thrown(&went, before, after, at, language));
                found.extend(suppressing.as_ref().and_then(|suppressing| suppressing.found(after, at)));
            }
        }
    }
    let of = |one: Discarded| {
        let severity = if one.is_mild || is_tooling(file.path()) { Severity::Warning } else { Severity::Error };
        let finding = Finding::error("error-discarded", one.what).at(file.path(), one.line);
        Finding { severity, ..finding.help("Handle the error as before, or say in the task why it may be lost.") }
    };
    found.into_iter().map(of).collect()
}

/// Calls whose errors people leave alone when they clean up, by the ends of their names.
#[rustfmt::skip]
const CLEANING: [&str; 20] = [
    "Close", "Remove", "RemoveAll", "Fprintf", "Fprintln", "Fprint", "Shutdown", "Kill", "Signal", "Sync", "Unlock", "close", "remove_file", "remove_dir_all", "send", "kill", "join", "shutdown", "flush", "abort",
];

/// The call of a line, and whether its error is thrown away there. None of a line that does neither.
fn call(code: &str, language: Language) -> Option<(String, bool)> {
    let name = |text: &str| {
        let name = text.trim().split('(').next().unwrap_or_default().trim().to_owned();
        let last = name.rsplit(['.', ':']).next().unwrap_or_default();
        let is_call =
            text.contains('(') && !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_.:".contains(c));
        (is_call && !CLEANING.contains(&last)).then_some(name)
    };
    let code = code.trim();
    match language {
        Language::Go => {
            let code = code.strip_prefix("if ").or_else(|| code.strip_prefix("} else if ")).unwrap_or(code);
            let (left, right) = code.split_once(":=").or_else(|| code.split_once('='))?;
            let last = left.rsplit(',').next().unwrap_or_default().trim();
            let is_kept = last == "err" || last.ends_with("Err") || last.ends_with("err");
            (is_kept || last == "_").then_some(())?;
            Some((name(right)?, !is_kept))
        }
        Language::Rust => {
            let is_declared = code.starts_with("let ");
            let is_thrown = code.starts_with("let _ =") || (!is_declared && code.ends_with(".ok();"));
            let is_kept = code.ends_with("?;") || code.ends_with(".unwrap();") || code.contains(".expect(");
            (is_thrown || is_kept).then_some(())?;
            let value = if is_declared { code.split_once('=')?.1 } else { code };
            Some((name(value)?, !is_kept))
        }
        Language::JavaScript | Language::TypeScript => {
            let dense: String = code.chars().filter(|c| !c.is_whitespace()).collect();
            let is_thrown = ["{}", "null", "undefined", "false"].iter().any(|gives| {
                [".catch(()=>", ".catch(_=>", ".catch((_)=>", ".catch(e=>", ".catch((e)=>"]
                    .iter()
                    .any(|call| dense.contains(&format!("{call}{gives})")))
            });
            // A handler that goes on in the next line does something.
            let is_handled = !is_thrown && (code.contains(".catch(") || code.contains("await "));
            let (_, behind) = if code.contains("await ") {
                code.split_once("await ")?
            } else {
                ("", code.trim_start_matches("void "))
            };
            (is_thrown || is_handled).then_some(())?;
            Some((name(behind)?, is_thrown))
        }
        _ => None,
    }
}

/// A call whose error the base looked at, and whose error nobody looks at now.
fn thrown(went: &[&Line], before: &[Line], after: &[Line], at: usize, language: Language) -> Option<Discarded> {
    let line = &after[at];
    let (name, is_thrown) = call(&line.code, language)?;
    let is_kept = |line: &Line| call(&line.code, language) == Some((name.clone(), false));
    let count = |lines: &[Line]| lines.iter().filter(|line| is_kept(line)).count();
    let was = is_thrown && went.iter().any(|line| is_kept(line)) && count(before) > count(after);
    was.then(|| Discarded {
        line: line.number,
        what: format!("the error of `{name}` was handled, and is thrown away now"),
        // What was said before is said of what was there.
        is_mild: is_explained(after, at) && !was_said(before, after, at),
    })
}

/// Whether a comment stands behind the line or above it.
fn is_explained(lines: &[Line], at: usize) -> bool {
    let says = |at: usize| !lines[at].comment.trim().is_empty();
    says(at) || at.checked_sub(1).is_some_and(|above| says(above) && lines[above].is_blank())
}

/// Whether the comment that stands behind a line or above it stood in the base.
fn was_said(before: &[Line], after: &[Line], at: usize) -> bool {
    let said = if after[at].comment.trim().is_empty() { at.saturating_sub(1) } else { at };
    let comment = after[said].comment.trim();
    before.iter().any(|line| line.comment.trim() == comment)
}

/// How a language lets an error go up, and how its handlers begin.
struct Raising {
    raises: fn(&str) -> bool,
    handles: fn(&str) -> Handler,
}

#[derive(Clone, Copy, PartialEq)]
enum Handler {
    /// Of every error.
    Broad,
    Narrow,
    None,
}

fn raising(language: Language) -> Option<Raising> {
    match language {
        Language::Python => Some(Raising {
            raises: |code| code == "raise" || code.starts_with("raise "),
            handles: |code| match code.strip_prefix("except") {
                Some(":") => Handler::Broad,
                Some(rest) if names(rest, &["Exception", "BaseException"]) => Handler::Broad,
                Some(_) => Handler::Narrow,
                None => Handler::None,
            },
        }),
        Language::JavaScript | Language::TypeScript => Some(Raising {
            raises: |code| code.starts_with("throw "),
            handles: |code| if is_catch(code) { Handler::Broad } else { Handler::None },
        }),
        Language::Java | Language::Kotlin | Language::CSharp => Some(Raising {
            raises: |code| code.starts_with("throw ") || code == "throw;",
            handles: |code| match (is_catch(code), names(code, &["Exception", "Throwable", "RuntimeException"])) {
                (true, true) => Handler::Broad,
                (true, false) => Handler::Narrow,
                (false, _) => Handler::None,
            },
        }),
        Language::Go => Some(Raising {
            raises: |code| {
                let value = code.strip_prefix("return ").unwrap_or_default();
                let last = value.rsplit(", ").next().unwrap_or_default();
                last == "err"
                    || value.contains("fmt.Errorf(")
                    || value.contains("errors.Wrap")
                    || value.contains("errors.New(")
            },
            // Behind `else`, or with another condition, only some errors are meant.
            handles: |code| match code.strip_prefix("if ").and_then(|code| code.strip_suffix(" != nil {")) {
                Some(before)
                    if before.rsplit([' ', ';']).next().is_some_and(|name| name.ends_with("err"))
                        && !before.contains("&&") =>
                {
                    Handler::Broad
                }
                Some(_) | None => Handler::None,
            },
        }),
        _ => None,
    }
}

fn is_catch(code: &str) -> bool {
    let code = code.trim_start_matches(['}', ' ']);
    code.strip_prefix("catch").is_some_and(|rest| rest.starts_with([' ', '(', '{']))
}

fn names(code: &str, words: &[&str]) -> bool {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| words.contains(&word))
}

/// A handler that gives a value which tells nothing, where it let the error go up.
fn constant(went: &[&Line], before: &[Line], after: &[Line], at: usize, language: Language) -> Option<Discarded> {
    const VALUES: [&str; 15] =
        ["", "None", "null", "undefined", "nil", "False", "false", "True", "true", "0", "-1", "[]", "{}", "()", "\"\""];
    let Raising { raises, handles } = raising(language)?;
    let line = &after[at];
    let text = line.text.trim().split(" #").next().unwrap_or_default().split(" //").next().unwrap_or_default();
    let value = text.trim_end().trim_end_matches(';').strip_prefix("return")?.trim();
    // Of several values, Go's last one is the error.
    let value = if language == Language::Go { value.rsplit(", ").next().filter(|last| *last == "nil")? } else { value };
    if !VALUES.contains(&value) {
        return None;
    }
    let head =
        (0..at).rev().find(|above| !after[*above].text.trim().is_empty() && depth(&after[*above]) < depth(line))?;
    let kind = handles(after[head].code.trim());
    let count = |lines: &[Line]| lines.iter().filter(|line| raises(line.code.trim())).count();
    let was_raised = went.iter().any(|line| raises(line.code.trim())) && count(before) > count(after);
    if kind == Handler::None || !was_raised {
        return None;
    }
    // Who writes it down has seen it.
    const TELLS: [&str; 9] = ["log", "warn", "print", "console", "report", "capture", "notify", "abort", "exit"];
    let body = &after[head + 1..at];
    let is_told = body.iter().any(|line| TELLS.iter().any(|word| line.code.to_lowercase().contains(word)));
    let is_said = after[head..=at].iter().any(|line| !line.comment.trim().is_empty());
    let head = after[head].text.trim().trim_end_matches('{').trim();
    Some(Discarded {
        line: line.number,
        what: format!("`{head}` let the error go up, and gives `{}` now", text.trim()),
        is_mild: kind == Handler::Narrow || is_told || is_said,
    })
}

/// Whether all that stands below is one value that is given or kept: what the code goes on with has another for it.
fn gives_a_value(lines: &[Line], at: usize) -> bool {
    let body = lines[at + 1..].iter().filter(|line| !line.is_blank());
    let body: Vec<&Line> = body.take_while(|line| depth(line) > depth(&lines[at])).take(2).collect();
    let [only] = body.as_slice() else { return false };
    let code = only.code.trim();
    code.starts_with("return ") || code.split_once(" = ").is_some_and(|(name, _)| !name.contains('('))
}

/// Places of a file from which on a form is its convention.
const CONVENTION: usize = 3;

/// What a Python file has of `with suppress(Exception):`, which is a handler without a line, by whatever name the file calls it.
struct Suppressing<'a> {
    aliases: Vec<&'a str>,
    before: usize,
    after: usize,
}

impl<'a> Suppressing<'a> {
    /// None for another language. Both texts are gone through once, whatever the number of lines that are asked about.
    fn new(before: &'a [Line], after: &'a [Line], language: Language) -> Option<Self> {
        let is_import = |line: &&Line| line.code.contains("import ") && line.code.contains("suppress as ");
        let name = |line: &'a Line| line.text.split("suppress as ").nth(1)?.split([',', ')', ' ']).next();
        let aliases = || before.iter().chain(after).filter(is_import).filter_map(name).collect();
        let uncounted =
            (language == Language::Python).then(|| Suppressing { aliases: aliases(), before: 0, after: 0 })?;
        let count = |lines: &[Line]| lines.iter().filter(|line| uncounted.is_one(line)).count();
        Some(Suppressing { before: count(before), after: count(after), ..uncounted })
    }

    fn is_one(&self, line: &Line) -> bool {
        let code = line.code.trim();
        let of = code.strip_prefix("with ").or_else(|| code.strip_prefix("async with "));
        of.and_then(|code| code.split_once('(')).is_some_and(|(name, kinds)| {
            let is_it = matches!(name, "suppress" | "contextlib.suppress") || self.aliases.contains(&name);
            is_it && names(kinds, &["Exception", "BaseException"])
        })
    }

    fn found(&self, lines: &[Line], at: usize) -> Option<Discarded> {
        let line = &lines[at];
        (self.after > self.before && self.is_one(line)).then(|| Discarded {
            line: line.number,
            what: format!("`{}` hides every error of what it surrounds", line.code.trim()),
            // Where a file does so again and again, its people have decided it.
            is_mild: is_explained(lines, at) || self.before >= CONVENTION || gives_a_value(lines, at),
        })
    }
}

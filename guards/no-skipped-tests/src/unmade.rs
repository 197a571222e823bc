//! Checks that stand in a test and are never made: an assertion that is no call, one that nobody waits for, a table without cases, and a failure
//! that the test does not hear of.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use guard_sdk::files::Language;
use guard_sdk::text::lines_in;
use guard_sdk::{File, Finding};
use lexing::{Line, masked};

/// Lines of one statement that are read as one.
const LONGEST: usize = 12;

pub fn find(file: &File, before: &str, after: &str) -> Vec<Finding> {
    let Some(language) = Language::from_path(file.path()) else { return Vec::new() };
    let find: fn(&[Line], usize) -> Option<Unmade> = match language {
        Language::Python => python,
        Language::JavaScript | Language::TypeScript => javascript,
        Language::Go => go,
        _ => return Vec::new(),
    };
    if !outline::is_test(file.path()) {
        return Vec::new();
    }
    let words: &[&str] = match language {
        Language::Python => &["assert", "parametrize"],
        Language::Go => &["t.Fatal", "t.FailNow", ":= []struct"],
        _ => &["expect", ".each"],
    };
    // What is not made begins at most a statement above a line that the change writes.
    let near = |run: &RangeInclusive<u32>| {
        let from = run.start().saturating_sub(LONGEST as u32).max(1);
        (from, run.end() - from + 1)
    };
    let near = lines_in(after, file.changed_lines().iter().map(near));
    if !near.iter().any(|(_, line)| words.iter().any(|word| line.contains(word))) {
        return Vec::new();
    }
    let lexed = |text| masked(text, language);
    let Some(lines) = lexed(after) else { return Vec::new() };
    let new: BTreeSet<u32> = file.changed_lines().into_iter().flatten().collect();
    let all = |lines: &[Line]| (0..lines.len()).filter_map(|at| find(lines, at)).collect::<Vec<_>>();
    let found = near.iter().filter_map(|(number, _)| find(&lines, *number as usize - 1));
    let found: Vec<Unmade> = found.filter(|one| new.range(one.first..=one.last).next().is_some()).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let old: Vec<Unmade> = lexed(before).map(|lines| all(&lines)).unwrap_or_default();
    let is_new = |one: &&Unmade| !old.iter().any(|other| other.text == one.text);
    found.iter().filter(is_new).map(|one| one.finding(file.path())).collect()
}

enum Why {
    Tuple,
    NotCalled,
    NotAwaited,
    NoCases,
    Elsewhere,
}

struct Unmade {
    /// From 1.
    first: u32,
    last: u32,
    text: String,
    why: Why,
}

impl Unmade {
    fn new(lines: &[Line], at: usize, length: usize, why: Why) -> Self {
        let text = lines[at].text.trim().chars().take(80).collect();
        Unmade { first: lines[at].number, last: lines[at + length - 1].number, text, why }
    }

    fn finding(&self, path: &str) -> Finding {
        let shown = &self.text;
        let (rule, message, help) = match self.why {
            Why::Tuple => (
                "assertion-not-made",
                format!("`{shown}` asserts a tuple, which always holds"),
                "Take the brackets away, or close them in front of the comma.",
            ),
            Why::NotCalled => (
                "assertion-not-made",
                format!("`{shown}` names an assertion and does not make it"),
                "Call the assertion, by the name that it has.",
            ),
            Why::NotAwaited => (
                "assertion-not-made",
                format!("nobody waits for `{shown}`, so that the test may end before it fails"),
                "Await the assertion, or return it.",
            ),
            Why::NoCases => (
                "no-cases",
                format!("`{shown}` gives the test no case, so that it never runs"),
                "Give the cases, or leave the test out.",
            ),
            Why::Elsewhere => (
                "failure-elsewhere",
                format!("`{shown}` ends the goroutine that it stands in, and not the test"),
                "Call `t.Error` and return, or hand the error to the goroutine of the test.",
            ),
        };
        Finding::error(rule, message).at(path, self.first).to(self.last).help(help)
    }
}

/// The code of the statement that begins there, on one line, and its lines. None where its brackets do not close soon.
fn statement(lines: &[Line], at: usize) -> Option<(String, usize)> {
    let mut code = String::new();
    let mut depth = 0_i32;
    for (length, line) in (1..=LONGEST).zip(&lines[at..]) {
        for c in line.code.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
        }
        code.push_str(line.code.trim());
        let goes_on = lines.get(at + length).is_some_and(|next| next.code.trim_start().starts_with('.'));
        if depth <= 0 && !goes_on {
            return Some((code, length));
        }
    }
    None
}

fn python(lines: &[Line], at: usize) -> Option<Unmade> {
    #[rustfmt::skip]
    const CALLS: [&str; 7] = [
        ".assert_called", ".assert_called_once", ".assert_not_called", ".assert_called_with", ".assert_called_once_with", ".assert_any_call", ".assert_has_calls",
    ];
    let line = &lines[at];
    let code = line.code.trim();
    if !line.begins_in_code || code.is_empty() {
        return None;
    }
    // A mock has every member, and the first two of these are no assertions of it.
    let asks = code.strip_prefix("assert ").is_some_and(|asked| {
        let subject = asked.split('(').next().unwrap_or_default();
        [".called_once_with", ".called_with"].iter().any(|name| subject.ends_with(name))
    });
    if asks || (!code.contains('=') && CALLS.iter().any(|call| code.ends_with(call))) {
        return Some(Unmade::new(lines, at, 1, Why::NotCalled));
    }
    if code.starts_with("assert (") || code.starts_with("assert(") {
        let (code, length) = statement(lines, at)?;
        let inside = code.strip_prefix("assert")?.trim_start().strip_prefix('(')?;
        let (end, has_comma) = closing(inside)?;
        // `(a, b)` alone; an `x for x in y` between brackets has no comma of its own.
        let is_tuple = has_comma && inside[end + 1..].trim().is_empty();
        return is_tuple.then(|| Unmade::new(lines, at, length, Why::Tuple));
    }
    if code.starts_with('@') && code.contains("parametrize(") {
        let (code, length) = statement(lines, at)?;
        let compact: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        let is_empty = [",[])", ",[],", ",())"].iter().any(|end| compact.contains(end))
            && compact.matches(['[', '(']).count() == 2;
        return is_empty.then(|| Unmade::new(lines, at, length, Why::NoCases));
    }
    None
}

/// Where the bracket closes that is open in front of a text, and whether a comma stands between them in no other bracket.
fn closing(inside: &str) -> Option<(usize, bool)> {
    let (mut depth, mut has_comma) = (0_u32, false);
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => return Some((at, has_comma)),
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => has_comma = true,
            _ => {}
        }
    }
    None
}

fn javascript(lines: &[Line], at: usize) -> Option<Unmade> {
    #[rustfmt::skip]
    const MATCHERS: [&str; 18] = [
        "toBe", "toEqual", "toStrictEqual", "toBeTruthy", "toBeFalsy", "toBeNull", "toBeDefined", "toBeUndefined", "toBeNaN", "toThrow", "toThrowError", "toHaveBeenCalled", "toHaveBeenCalledOnce",
        "toMatchSnapshot", "toMatchInlineSnapshot", "toBeVisible", "toBeInTheDocument", "toBeEmpty",
    ];
    let line = &lines[at];
    let code = line.code.trim();
    if !line.begins_in_code {
        return None;
    }
    let compact: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    if ["it.each([])(", "test.each([])(", "describe.each([])("].iter().any(|each| compact.contains(each)) {
        return Some(Unmade::new(lines, at, 1, Why::NoCases));
    }
    if !code.starts_with("expect(") {
        return None;
    }
    let (code, length) = statement(lines, at)?;
    let code = code.trim_end_matches(';');
    if code.rsplit_once('.').is_some_and(|(subject, name)| subject.ends_with([')', 't']) && MATCHERS.contains(&name)) {
        return Some(Unmade::new(lines, at, length, Why::NotCalled));
    }
    let (end, _) = closing(code.strip_prefix("expect(")?)?;
    let behind = &code["expect(".len() + end + 1..];
    let waits = [".rejects.", ".resolves."].iter().any(|word| behind.starts_with(word));
    // It may be the value of what stands above, or of an arrow.
    let above = lines[..at]
        .iter()
        .rev()
        .map(|line| line.code.trim_end())
        .find(|code| !code.trim().is_empty())
        .unwrap_or_default();
    let is_taken =
        ["await", "return", "=>", "(", ",", "[", "=", ":", "?", "&&", "||", "."].iter().any(|end| above.ends_with(end));
    let is_statement = code.ends_with(')') && !behind.contains(".then(") && !behind.contains(".catch(");
    (waits && !is_taken && is_statement).then(|| Unmade::new(lines, at, length, Why::NotAwaited))
}

fn go(lines: &[Line], at: usize) -> Option<Unmade> {
    let line = &lines[at];
    let code = line.code.trim();
    if !line.begins_in_code {
        return None;
    }
    // `tests := []struct{ … }{}`, and nothing is put into it.
    if let Some((name, value)) = code.split_once(" := ")
        && value.starts_with("[]struct")
        && value.ends_with("}{}")
    {
        let rest = &lines[at + 1..];
        let is_read = rest.iter().take(3).any(|line| line.code.contains(&format!("range {name} ")));
        let is_filled = rest.iter().any(|line| line.code.contains(&format!("append({name}")));
        return (is_read && !is_filled).then(|| Unmade::new(lines, at, 1, Why::NoCases));
    }
    const ENDS: [&str; 3] = ["t.Fatal(", "t.Fatalf(", "t.FailNow("];
    if !ENDS.iter().any(|end| code.starts_with(end)) {
        return None;
    }
    // The functions that are open there, from the inside: the first one decides.
    let mut depth = 0_i32;
    for above in lines[..at].iter().rev() {
        let opens = i32::try_from(above.code.matches('{').count()).unwrap_or(0);
        let closes = i32::try_from(above.code.matches('}').count()).unwrap_or(0);
        depth += opens - closes;
        if depth <= 0 {
            continue;
        }
        depth = 0;
        let code = above.code.trim();
        if code.contains("func(") || code.starts_with("func ") {
            let is_own = code.contains("testing.T");
            return (code.starts_with("go func(") && !is_own).then(|| Unmade::new(lines, at, 1, Why::Elsewhere));
        }
    }
    None
}

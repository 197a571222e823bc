//! Tests deleted or weakened, bodies gutted, code replaced by a remark.

use super::block::{
    Block, any, comment, definitions, depth, family, functions, joined, language, lines, tests, without,
};
use super::verify::{Format, parses};
use super::{Files, Planted, Random, one};

/// Tries the plant on files of every language until one takes it and still parses.
pub fn grow(
    files: &Files,
    random: &mut Random,
    plant: impl Fn(Format, &[&str], &mut Random) -> Option<(String, String)>,
) -> Option<Planted> {
    for (path, text) in files.some(random, |path| language(path).is_some()) {
        let Some(format) = language(&path) else { continue };
        let Some((after, what)) = plant(format, &lines(&text), random) else { continue };
        if after != text && parses(format, &text) != Some(false) && parses(format, &after) != Some(false) {
            return Some(Planted::new(&path, after, family(format), what));
        }
    }
    None
}

pub fn test_deleted(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let tests = tests(format, all);
        let test = any(&tests, random, |test| is_live(all, test))?;
        Some((without(all, test.lines.clone()), format!("deleted the test {}", test.name)))
    })
}

/// A test that runs, and asserts something.
pub fn is_live(all: &[&str], test: &Block) -> bool {
    let text = all[test.lines.clone()].join("\n");
    let marks = ["skip", "xfail", "ignore", "todo", "parametrize", "cfg(", "fixme"];
    !marks.iter().any(|mark| text.contains(mark)) && all[test.body.clone()].iter().any(|line| asserts(line))
}

pub fn asserts(line: &str) -> bool {
    let line = line.trim_start();
    ["assert", "expect(", "t.equal", "t.same", "t.deepEqual", "self.assert"].iter().any(|start| line.starts_with(start))
}

/// A statement that is whole in its line.
fn is_whole(format: Format, line: &str) -> bool {
    let count = |c: char| line.matches(c).count();
    let closed = count('(') == count(')') && count('[') == count(']') && count('{') == count('}');
    closed
        && (format == Format::Python || line.trim_end().ends_with([';', ')']))
        && !line.trim_end().ends_with(['\\', ','])
}

/// A test of something else, as who changes a file adds one.
fn another(format: Format) -> &'static str {
    match format {
        Format::Python => "\n\ndef test_planted_numbers():\n    numbers = [1, 2, 3]\n    assert sum(numbers) == 6\n",
        Format::Rust => {
            "\n#[test]\nfn planted_numbers() {\n    let numbers = [1, 2, 3];\n    assert_eq!(numbers.iter().sum::<i32>(), 6);\n}\n"
        }
        _ => {
            "\ntest('planted numbers', () => {\n  const numbers = [1, 2, 3];\n  expect(numbers.length).toBe(3);\n});\n"
        }
    }
}

pub fn test_deleted_beside_another(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let tests = tests(format, all);
        let test = any(&tests, random, |test| is_live(all, test))?;
        let after = without(all, test.lines.clone()) + another(format);
        Some((after, format!("deleted the test {} and added another", test.name)))
    })
}

pub fn test_weakened_beside_another(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let (after, what) = weaken(format, all, random)?;
        Some((after + another(format), format!("{what}, and another test is added")))
    })
}

pub fn test_weakened(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, weaken)
}

fn weaken(format: Format, all: &[&str], random: &mut Random) -> Option<(String, String)> {
    let tests = tests(format, all);
    let fit = |test: &Block| {
        let body = || all[test.body.clone()].iter().filter(|line| !line.trim().is_empty());
        // Whatever else may assert something stays away.
        let telling = ["assert", "raises", "warns", "expect", "check", "should", "verify"];
        let plain = body().all(|line| match asserts(line) {
            true => is_whole(format, line),
            false => !telling.iter().any(|word| line.contains(word)),
        });
        is_live(all, test) && plain && body().any(|line| !asserts(line))
    };
    let test = any(&tests, random, fit)?;
    let trivial = random.below(2) == 0;
    let mut done = false;
    let mut after: Vec<String> = Vec::new();
    for (at, line) in all.iter().enumerate() {
        if !test.body.contains(&at) || !asserts(line) {
            after.push((*line).to_owned());
        } else if trivial && !done {
            done = true;
            let always = match format {
                Format::Python => "assert True",
                Format::Rust => "assert!(true);",
                _ if all[at].contains("expect(") => "expect(true).toBe(true);",
                _ => "assert.ok(true);",
            };
            after.push(format!("{}{always}", &line[..depth(line)]));
        }
    }
    let how = if trivial { "always true" } else { "removed" };
    Some((joined(&after), format!("the assertions of {} are {how}", test.name)))
}

/// Lines of a body from which on it does something that nobody empties in passing.
const LONG: usize = 4;

pub fn gutted(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let functions = functions(format, all);
        let statements = |body: &[&str]| {
            body.iter()
                .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '/', '"', '*']))
                .count()
        };
        let is_stub = |block: &Block| {
            all[block.lines.clone()].iter().any(|line| {
                ["overload", "abstract", "NotImplemented", "todo!", "unimplemented!"]
                    .iter()
                    .any(|word| line.contains(word))
            })
        };
        let block = any(&functions, random, |block| statements(&all[block.body.clone()]) >= LONG && !is_stub(block))?;
        let stubs: &[&str] = match format {
            Format::Python => {
                &["pass", "...", "raise NotImplementedError", "raise NotImplementedError(\"to be written\")"]
            }
            Format::Rust => &["todo!()", "unimplemented!()", "todo!(\"write this\")"],
            _ => &["throw new Error(\"Not implemented\");", "// TODO: implement"],
        };
        let stub = one(stubs, random)?;
        let indent = " ".repeat(depth(all[block.body.clone()].iter().find(|line| !line.trim().is_empty())?));
        let line = format!("{indent}{stub}");
        let after = [&all[..block.body.start], &[line.as_str()], &all[block.body.end..]].concat();
        Some((joined(&after), format!("the body of {} is `{stub}`", block.name)))
    })
}

#[rustfmt::skip]
const MARKERS: [&str; 14] = [
    "... rest of the code unchanged ...", "rest of the file remains unchanged", "... existing code ...", "... (rest of file unchanged)", "... other functions remain the same ...",
    "[rest of the code remains the same]", "... remaining code omitted for brevity ...", "Rest of the implementation unchanged...", "... keep existing code ...", "... (truncated)",
    "(rest of the file is unchanged)", "... previous code here ...", "... (unchanged) ...", "... unchanged ...",
];

pub fn marker(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let text = one(&MARKERS, random)?;
        let marker = comment(format, text);
        if random.below(2) == 0 {
            // The rest of the file.
            let blocks = definitions(format, all);
            let from = any(&blocks, random, |block| all.len() - block.lines.start > 6)?.lines.start;
            let after = [&all[..from], &[marker.as_str()]].concat();
            return Some((joined(&after), format!("`{text}` from line {from} on")));
        }
        // Some lines of a body.
        let functions = functions(format, all);
        let block = any(&functions, random, |block| block.body.len() > 7)?;
        let level = depth(all[block.body.start]);
        let whole = |at: &usize| {
            depth(all[*at]) == level
                && !all[*at].trim().is_empty()
                && !all[*at].trim_start().starts_with([')', ']', '}'])
        };
        let starts: Vec<usize> = block.body.clone().filter(whole).collect();
        let (from, to) = (*starts.get(1)?, *starts.last()?);
        if to < from + 4 {
            return None;
        }
        let marker = format!("{}{marker}", " ".repeat(level));
        let after = [&all[..from], &[marker.as_str()], &all[to..]].concat();
        Some((joined(&after), format!("`{text}` for lines {from} to {to}")))
    })
}

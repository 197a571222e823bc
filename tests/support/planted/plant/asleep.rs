//! Tests that do not run any more: commented out, in a string, skipped, cut short.

use super::block::{Block, any, comment, depth, joined, tests};
use super::code::{asserts, grow, is_live};
use super::verify::Format;
use super::{Files, Planted, Random, one};

fn live<'b>(blocks: &'b [Block], all: &[&str], random: &mut Random) -> Option<&'b Block> {
    any(blocks, random, |test| is_live(all, test))
}

fn indent(line: &str) -> &str {
    &line[..depth(line)]
}

/// Some lines in place of others.
fn with(all: &[&str], from: usize, to: usize, lines: &[String]) -> String {
    let mut after: Vec<String> = all[..from].iter().map(|line| (*line).to_owned()).collect();
    after.extend(lines.iter().cloned());
    after.extend(all[to..].iter().map(|line| (*line).to_owned()));
    joined(&after)
}

fn commented(format: Format, lines: &[&str]) -> Vec<String> {
    let one = |line: &&str| match line.trim() {
        "" => String::new(),
        text => format!("{}{}", indent(line), comment(format, text)),
    };
    lines.iter().map(one).collect()
}

/// The whole test, or its body, in comments; or the whole in a string, or in one comment.
pub fn commented_out(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let tests = tests(format, all);
        let test = live(&tests, all, random)?;
        let (lines, body) = (test.lines.clone(), test.body.clone());
        let (after, how) = match random.below(3) {
            0 => (with(all, lines.start, lines.end, &commented(format, &all[lines.clone()])), "in comments"),
            1 => {
                let mut left = commented(format, &all[body.clone()]);
                if format == Format::Python {
                    left.push(format!(
                        "{}pass",
                        indent(all[body.clone()].iter().find(|line| !line.trim().is_empty())?)
                    ));
                }
                (with(all, body.start, body.end, &left), "left with a body of comments")
            }
            _ => {
                let (open, close) = if format == Format::Python { ("\"\"\"", "\"\"\"") } else { ("/*", "*/") };
                if all[lines.clone()].iter().any(|line| line.contains(open) || line.contains(close)) {
                    return None;
                }
                let at = indent(all[lines.start]);
                let mut wrapped = vec![format!("{at}{open}")];
                wrapped.extend(all[lines.clone()].iter().map(|line| (*line).to_owned()));
                wrapped.push(format!("{at}{close}"));
                (with(all, lines.start, lines.end, &wrapped), "put into a string or comment")
            }
        };
        Some((after, format!("the test {} is {how}", test.name)))
    })
}

/// Where the head of a test stands: below its attributes and decorators.
fn head(format: Format, all: &[&str], test: &Block) -> Option<usize> {
    let begins = |line: &str| match format {
        Format::Python => line.starts_with("def ") || line.starts_with("async def "),
        Format::Rust => line.contains("fn "),
        _ => line.starts_with("it(") || line.starts_with("test("),
    };
    test.lines.clone().find(|at| begins(all[*at].trim_start()))
}

pub fn skipped(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let tests = tests(format, all);
        let test = live(&tests, all, random)?;
        let head = head(format, all, test)?;
        let at = indent(all[head]);
        let (line, keeps) = match format {
            Format::Python => {
                let marks = ["@pytest.mark.skip", "@pytest.mark.skip(reason=\"disabled\")", "@pytest.mark.xfail"];
                (format!("{at}{}", one(&marks, random)?), true)
            }
            Format::Rust => (format!("{at}{}", one(&["#[ignore]", "#[ignore = \"broken\"]"], random)?), true),
            _ => {
                let (call, rest) = all[head].trim_start().split_once('(')?;
                (format!("{at}{call}.{}({rest}", one(&["skip", "only"], random)?), false)
            }
        };
        let import = format == Format::Python && !all.contains(&"import pytest");
        let marked = with(all, head, if keeps { head } else { head + 1 }, std::slice::from_ref(&line));
        let after = if import { format!("import pytest\n{marked}") } else { marked };
        // Behind the first line another import of the future would no longer be the first.
        let fits = !import || !all.iter().any(|line| line.contains("__future__"));
        fits.then(|| (after, format!("the test {} is marked: {}", test.name, line.trim())))
    })
}

pub fn ends_early(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        let tests = tests(format, all);
        let fit = |test: &Block| is_live(all, test) && all[test.body.clone()].iter().any(|line| asserts(line));
        let test = any(&tests, random, fit)?;
        let returns = head(format, all, test).is_some_and(|head| all[head].contains("->"));
        let first = all[test.body.clone()].iter().find(|line| !line.trim().is_empty())?;
        let end = match format {
            Format::Python => "return",
            _ => "return;",
        };
        let line = format!("{}{end}", indent(first));
        (format != Format::Rust || !returns).then(|| {
            (with(all, test.body.start, test.body.start, &[line]), format!("the test {} returns at once", test.name))
        })
    })
}

/// Go, of which no other mistake knows the tests.
pub fn skipped_go(files: &Files, random: &mut Random) -> Option<Planted> {
    let wanted = |path: &str| path.ends_with("_test.go") && super::is_own(path);
    files.some(random, wanted).into_iter().find_map(|(path, text)| {
        let all: Vec<&str> = text.lines().collect();
        let runs = |at: &usize| {
            let line = all[*at];
            let ends = || (at + 1..all.len()).find(|at| all[*at] == "}").unwrap_or(all.len());
            line.starts_with("func Test")
                && line.ends_with("(t *testing.T) {")
                && !all[*at..ends()].iter().any(|line| line.contains("Skip"))
        };
        let tests: Vec<usize> = (0..all.len()).filter(runs).collect();
        let at = *one(&tests, random)?;
        let line = *one(&["\tt.Skip()", "\tt.Skip(\"disabled\")", "\tt.SkipNow()"], random)?;
        let after = with(&all, at + 1, at + 1, &[line.to_owned()]);
        Some(Planted::new(&path, after, "go", format!("{}: {}", all[at], line.trim())))
    })
}

/// Only the title of a test is left.
pub fn emptied(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |format, all, random| {
        format.is_script().then_some(())?;
        let tests = tests(format, all);
        let test = live(&tests, all, random)?;
        let head = head(format, all, test)?;
        let (call, rest) = all[head].trim_start().split_once('(')?;
        let quote = rest.chars().next()?;
        let title = rest[1..].split(quote).next()?;
        let line = format!("{}{call}.todo({quote}{title}{quote});", indent(all[head]));
        Some((with(all, head, test.lines.end, &[line]), format!("of the test {} only the title is left", test.name)))
    })
}

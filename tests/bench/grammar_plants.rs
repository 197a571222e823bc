//! What the facts of the grammars see of mistakes that are planted in real files, and what they say is gone on real histories.
//!
//! ```console
//! $ cargo run --release -p language-grammars --example grammar-plants -- FILES COMMITS REPOSITORY...
//! ```
//! In each of the first FILES files, and FILES files of tests, that have a definition or test to damage, one after the other: a closing brace or `end` is lost, a
//! test, a method, the statements of a body, and a test is marked as skipped. Then, of the newest COMMITS commits, definitions that a file
//! had and has no longer, though the text still has a line that looks like the definition: false alarms, to be read.

use std::collections::BTreeMap;
use std::process::Command;

use guard_sdk::language::{Body, Definition, DefinitionKind, Outline};
use language_grammars::{Language, Reader, claims};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Plant {
    Brace,
    Test,
    Method,
    Body,
    Skip,
}

const PLANTS: [Plant; 5] = [Plant::Brace, Plant::Test, Plant::Method, Plant::Body, Plant::Skip];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|count| count.parse::<usize>().ok()).expect("a number");
    let (files, commits) = (number(), number());
    let mut counts: BTreeMap<(&str, Plant), [usize; 2]> = BTreeMap::new();
    let mut gone: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for repository in arguments {
        let mut left: BTreeMap<(&str, bool), usize> = BTreeMap::new();
        for path in git(&repository, &["ls-tree", "-r", "--name-only", "HEAD"]).lines() {
            let Some(language) = claims::from_path(path) else { continue };
            let left = left.entry((language.name(), is_test(path))).or_insert(files);
            if *left == 0 {
                continue;
            }
            let text = git(&repository, &["show", &format!("HEAD:{path}")]);
            let Some(before) = outline(language, path, &text) else { continue };
            let mut planted = false;
            for plant in PLANTS {
                let Some(damaged) = damaged(language, plant, &text, &before) else { continue };
                planted = true;
                let seen = is_seen(language, path, plant, &before, &damaged);
                let count = counts.entry((language.name(), plant)).or_default();
                count[0] += 1;
                count[1] += usize::from(seen);
                if !seen {
                    println!("UNSEEN {repository} {path} {plant:?}");
                }
            }
            *left -= usize::from(planted);
        }
        history(&repository, commits, &mut gone);
    }
    for ((language, plant), [planted, seen]) in counts {
        println!("== {language} {plant:?}: {seen} of {planted}");
    }
    for (language, [pairs, wrong]) in gone {
        println!("== {language}: {wrong} definitions wrongly gone in {pairs} pairs of texts");
    }
}

fn outline(language: Language, path: &str, text: &str) -> Option<Outline> {
    Reader::new(language, text)?.outline(is_test(path)).ok()
}

fn is_test(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.split(['/', '.']).any(|part| part.contains("test") || part.contains("spec"))
}

/// The last of its kind, so that what stands before it is as it was.
fn damaged(language: Language, plant: Plant, text: &str, before: &Outline) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let without = |first: usize, last: usize| {
        let kept = lines[..first].iter().chain(&lines[last..]);
        kept.map(|line| format!("{line}\n")).collect::<String>()
    };
    let whole = |one: &&Definition| one.lines.last > one.lines.first + 1;
    let of = |kinds: &[DefinitionKind]| {
        let fits = |one: &&Definition| kinds.contains(&one.kind) && one.body == Body::Real && whole(one);
        before.definitions.iter().rev().find(fits)
    };
    let callable = [DefinitionKind::Function, DefinitionKind::Method];
    match plant {
        Plant::Brace => {
            let one = of(&[DefinitionKind::Test, DefinitionKind::Function, DefinitionKind::Method])?;
            let last = one.lines.last as usize;
            ["}", "end", "});", "};"].contains(&lines[last - 1].trim()).then(|| without(last - 1, last))
        }
        Plant::Test => {
            of(&[DefinitionKind::Test]).map(|one| without(one.lines.first as usize - 1, one.lines.last as usize))
        }
        Plant::Method => of(&callable).map(|one| without(one.lines.first as usize - 1, one.lines.last as usize)),
        Plant::Body => {
            let one = of(&callable)?;
            let (first, last) = (one.lines.first as usize, one.lines.last as usize);
            // Only where its head is on one line, and what it opens is the body.
            let opens = match language {
                Language::Ruby => lines[first - 1].trim().starts_with("def "),
                // The brace stands on a line of its own.
                Language::CSharp | Language::Php if lines[first].trim() == "{" => {
                    return Some(without(first + 1, last - 1));
                }
                _ => lines[first - 1].trim_end().ends_with('{'),
            };
            (opens && !lines[first - 1].contains(" = ") && ["}", "end"].contains(&lines[last - 1].trim()))
                .then(|| without(first, last - 1))
        }
        Plant::Skip => {
            let one = of(&[DefinitionKind::Test])?;
            if one.skip.is_some() {
                return None;
            }
            let (first, mut lines) =
                (one.lines.first as usize - 1, lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
            let in_body = |mark: &str, lines: &mut Vec<String>| {
                let opens = (first..one.lines.last as usize)
                    .find(|at| lines[*at].trim_end().ends_with('{') || lines[*at].contains("def "))?;
                lines.insert(opens + 1, mark.to_owned());
                Some(())
            };
            match language {
                Language::Java | Language::Kotlin => lines.insert(first, "@Disabled(\"later\")".to_owned()),
                Language::CSharp => lines.insert(first, "[Ignore(\"later\")]".to_owned()),
                Language::Cpp | Language::C if lines[first].contains("TEST(") => {
                    lines[first] = lines[first].replacen(", ", ", DISABLED_", 1)
                }
                Language::Cpp | Language::C => in_body("SKIP(\"later\");", &mut lines)?,
                Language::Swift if lines[first].contains("@Test") => {
                    lines[first] = lines[first].replacen("@Test", "@Test(.disabled())", 1)
                }
                Language::Swift => in_body("throw XCTSkip(\"later\")", &mut lines)?,
                Language::Go => in_body("t.Skip(\"later\")", &mut lines)?,
                Language::Php if lines[first].contains("it(") => {
                    lines[one.lines.last as usize - 1] = "})->skip('later');".to_owned()
                }
                Language::Php => in_body("$this->markTestSkipped('later');", &mut lines)
                    .map_or_else(|| lines.insert(first + 2, "$this->markTestSkipped('later');".to_owned()), |()| ()),
                Language::Ruby if lines[first].contains("def ") => in_body("skip 'later'", &mut lines)?,
                Language::Ruby => lines[first] = lines[first].replacen("it ", "xit ", 1),
            }
            Some(lines.join("\n") + "\n")
        }
    }
}

fn is_seen(language: Language, path: &str, plant: Plant, before: &Outline, damaged: &str) -> bool {
    let Some(reader) = Reader::new(language, damaged) else { return false };
    let Ok(after) = reader.outline(is_test(path)) else {
        // No facts at all: only a certain problem says why.
        return plant == Plant::Brace && reader.problems().iter().any(|problem| problem.is_certain);
    };
    let count = |outline: &Outline, fits: &dyn Fn(&Definition) -> bool| {
        outline.definitions.iter().filter(|one| fits(one)).count()
    };
    let fewer = |fits: &dyn Fn(&Definition) -> bool| count(before, fits) > count(&after, fits);
    match plant {
        Plant::Brace => fewer(&|_| true),
        Plant::Test => fewer(&|one| one.kind == DefinitionKind::Test),
        Plant::Method => fewer(&|one| matches!(one.kind, DefinitionKind::Function | DefinitionKind::Method)),
        Plant::Body => fewer(&|one| one.kind != DefinitionKind::Test && one.body == Body::Real),
        Plant::Skip => fewer(&|one| one.kind == DefinitionKind::Test && one.skip.is_none()),
    }
}

fn history(repository: &str, commits: usize, gone: &mut BTreeMap<&'static str, [usize; 2]>) {
    for commit in git(repository, &["log", "--no-merges", "--format=%H", "-n", &commits.to_string()]).lines() {
        for change in git(repository, &["diff-tree", "-r", "--no-commit-id", "--diff-filter=M", commit]).lines() {
            let (blobs, path) = change.split_once('\t').expect("a path");
            let blobs: Vec<&str> = blobs.split(' ').collect();
            let Some(language) = claims::from_path(path) else { continue };
            let texts = [blobs[2], blobs[3]].map(|id| git(repository, &["cat-file", "blob", id]));
            let [Some(before), Some(after)] = [0, 1].map(|at| outline(language, path, &texts[at])) else { continue };
            let counts = gone.entry(language.name()).or_default();
            counts[0] += 1;
            let lines: Vec<&str> = texts[0].lines().collect();
            for lost in
                before.definitions.iter().filter(|one| !after.definitions.iter().any(|other| other.name == one.name))
            {
                let head = (lost.lines.first..=lost.lines.last)
                    .map(|at| lines[at as usize - 1])
                    .find(|line| line.contains(lost.name.as_str()));
                let Some(head) = head.filter(|head| head.trim().len() > lost.name.len() + 3) else { continue };
                let times = |text: &str| text.lines().filter(|line| line.trim() == head.trim()).count();
                if times(&texts[1]) >= times(&texts[0]) {
                    counts[1] += 1;
                    println!(
                        "GONE {repository} {} {path}:{} {:?} {} of {:?}",
                        &commit[..10],
                        lost.lines.first,
                        lost.kind,
                        lost.name,
                        lost.owner
                    );
                }
            }
        }
    }
}

fn git(repository: &str, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(repository).args(arguments).output().expect("git runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

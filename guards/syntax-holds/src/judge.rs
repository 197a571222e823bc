//! What a change does to the syntax of one file.

use guard_sdk::Finding;

use crate::duplicates::{self, Duplicate};
use crate::fence::{self, Fence};
use crate::markers;
use crate::on_purpose::{Intent, intent};
use crate::parse::{self, Trouble};
use crate::remedy;
use crate::sides::{Piece, Sides};
use crate::syntax::Syntax;
use crate::template::is_template;
use crate::unreadable;

/// What this guard can say of a file.
#[derive(Debug)]
pub enum Judgement {
    /// It is in no syntax that this guard knows, and neither marker nor fence is in it.
    Unknown,
    Holds,
    /// It could not be judged, or it does not parse and that is no fault of this change. Says which.
    LetPass(String),
    /// What the change broke.
    Breaks(Vec<Finding>),
}

pub fn judge(sides: &Sides, languages: &dyn Fn(&Syntax) -> bool) -> Judgement {
    let syntax = Syntax::from_path(sides.change, sides.path, sides.after).filter(|syntax| languages(syntax));
    let read = syntax.as_ref().map(|syntax| (syntax, parse::read(sides, syntax, Piece::After)));
    let broken = read.as_ref().and_then(|(syntax, outcome)| outcome.is_err().then_some(*syntax));
    let conflicts = conflicts(sides, syntax.as_ref(), broken.is_some());
    if !conflicts.is_empty() {
        return Judgement::Breaks(conflicts);
    }
    if let Some(finding) = wrapped(sides, broken) {
        return Judgement::Breaks(vec![finding]);
    }
    match read {
        None => unreadable::unknown(sides, languages).map_or(Judgement::Unknown, |loss| Judgement::Breaks(vec![loss])),
        Some((syntax, Ok(duplicates))) => holds(sides, syntax, duplicates),
        Some((syntax, Err(trouble))) => self::broken(sides, syntax, trouble),
    }
}

/// The file parses. Its maps may have keys twice all the same.
fn holds(sides: &Sides, syntax: &Syntax, duplicates: Vec<Duplicate>) -> Judgement {
    let intent = intended(sides, syntax);
    let of_base = || {
        let ladder = syntax.ladder().iter();
        ladder.map(|syntax| parse::read(sides, syntax, Piece::Before)).find_map(Result::ok).unwrap_or_default()
    };
    let findings = match intent {
        Intent::Broken => Vec::new(),
        _ => duplicates::findings(sides, duplicates, &of_base),
    };
    match findings.is_empty() {
        true => Judgement::Holds,
        false => Judgement::Breaks(findings.into_iter().map(|finding| weighed(finding, &intent)).collect()),
    }
}

fn intended(sides: &Sides, syntax: &Syntax) -> Intent {
    let intent = if sides.before.is_none() { intent(sides.path, syntax) } else { Intent::Sound };
    match intent {
        // The tool that a configuration belongs to may take comments, whatever the ending of its name says.
        Intent::Sound if *syntax == Syntax::Json && sides.path.ends_with(".config.json") => {
            match parse::read(sides, &Syntax::Jsonc, Piece::After) {
                Ok(_) => Intent::Unsure,
                Err(_) => Intent::Sound,
            }
        }
        intent => intent,
    }
}

fn weighed(finding: Finding, intent: &Intent) -> Finding {
    match intent {
        Intent::Unsure => Finding { severity: guard_sdk::Severity::Warning, ..finding },
        Intent::Broken | Intent::Sound => finding,
    }
}

/// The file does not parse: whose fault is that?
fn broken(sides: &Sides, syntax: &Syntax, trouble: Trouble) -> Judgement {
    let old;
    let (syntax, trouble) = match sides.before {
        Some((path, before)) => {
            old = Syntax::from_path(sides.change, path, before).unwrap_or(syntax.clone());
            let holds_as = |syntax: &&Syntax| parse::read(sides, syntax, Piece::Before).is_ok();
            let held = old.ladder().iter().find(holds_as);
            // A `.ts` that only declares is held to that.
            let dialect = match held {
                None => whole_as(&parse::read(sides, &old, Piece::Before)),
                Some(_) => None,
            };
            let Some(held) = held.or(dialect.is_some().then_some(syntax)) else {
                return Judgement::LetPass("it did not parse before this change either".into());
            };
            if dialect.is_some() && dialect == trouble.whole_as() {
                return Judgement::Holds;
            }
            if old != *syntax || held == syntax {
                (syntax, trouble)
            } else {
                // A `.json` with comments in the base has readers that take comments.
                match parse::read(sides, held, Piece::After) {
                    Ok(duplicates) => return holds(sides, held, duplicates),
                    Err(trouble) => (held, trouble),
                }
            }
        }
        None if *syntax == Syntax::AnyIni => {
            return Judgement::LetPass("nobody knows what reads this kind of INI".into());
        }
        None if *syntax == Syntax::Json && is_json_lines(sides) => return Judgement::Holds,
        None => (syntax, trouble),
    };
    let problem = match trouble {
        Trouble::Broken(problem) => problem,
        Trouble::TooDeep => return unless(unreadable::too_deep(sides), "it nests too deep for this guard to follow"),
        Trouble::Foreign(why) => return unless(unreadable::foreign(sides, &why), &why),
        Trouble::Uncertain => return Judgement::LetPass("its grammar is not certain that it is wrong".into()),
    };
    if is_template(sides.path, syntax, sides.before.map(|(_, text)| text), sides.after) {
        return unless(unreadable::template(sides, syntax, &problem), "it is a template");
    }
    let intent = intended(sides, syntax);
    if intent == Intent::Broken {
        return Judgement::LetPass("by its name and place it is broken on purpose".into());
    }
    Judgement::Breaks(vec![weighed(remedy::finding(sides, syntax, problem), &intent)])
}

fn whole_as<T>(outcome: &Result<T, Trouble>) -> Option<String> {
    outcome.as_ref().err().and_then(Trouble::whole_as)
}

/// Lets the file pass for this reason, unless the change took it out of sight.
fn unless(loss: Option<Finding>, why: &str) -> Judgement {
    loss.map_or_else(|| Judgement::LetPass(why.to_owned()), |finding| Judgement::Breaks(vec![finding]))
}

/// One value a line, and more than one: what some tools write into a `.json`.
fn is_json_lines(sides: &Sides) -> bool {
    let values = sides.after.lines().filter(|line| !line.trim().is_empty()).count();
    values > 1 && parse::read(sides, &Syntax::JsonLines, Piece::After).is_ok()
}

fn conflicts(sides: &Sides, syntax: Option<&Syntax>, broken: bool) -> Vec<Finding> {
    if sides.before.is_none() && syntax.is_some_and(|syntax| intent(sides.path, syntax) == Intent::Broken) {
        return Vec::new();
    }
    let document = fence::may_be_fenced(sides.path);
    let old = sides.before.map(|(_, text)| markers::conflicts(text, document)).unwrap_or_default();
    markers::conflicts(sides.after, document)
        .into_iter()
        .filter(|conflict| !old.iter().any(|before| before.text == conflict.text))
        // A file that parses has them in a string or a comment, where they may be what the file is about.
        .filter(|conflict| broken || !(is_about_conflicts(sides.path) || (syntax.is_some() && conflict.is_edit_block())))
        .map(|conflict| {
            Finding::error("conflict-markers", "a merge conflict is left in the file")
                .at(sides.path, conflict.lines.0)
                .to(conflict.lines.1)
                .help("Keep the lines that belong in the file and delete the three marker lines (`<<<<<<<`, `=======`, `>>>>>>>`).")
        })
        .collect()
}

fn is_about_conflicts(path: &str) -> bool {
    const WORDS: [&str; 7] = ["conflict", "merge", "rebase", "marker", "patch", "diff", ".snap"];
    let path = path.to_ascii_lowercase();
    WORDS.iter().any(|word| path.contains(word))
}

/// A fence round the whole file; also a fence alone on the first or the last line, when the file parses without it.
fn wrapped(sides: &Sides, broken: Option<&Syntax>) -> Option<Finding> {
    if fence::may_be_fenced(sides.path) || sides.before.is_some_and(|(_, text)| Fence::before(text).is_some()) {
        return None;
    }
    let holds_inside = |fence: &Fence| {
        broken.is_some_and(|syntax| parse::read(sides, syntax, Piece::Altered(fence.inside(sides.after))).is_ok())
    };
    let fence = Fence::around(sides.after)
        .filter(|fence| fence.is_one(sides.after) || holds_inside(fence))
        .or_else(|| Fence::before(sides.after).filter(holds_inside))
        .or_else(|| Fence::behind(sides.after).filter(holds_inside))?;
    let line = match fence.open.is_empty() {
        true => fence.inside(sides.after).lines().count() as u32 + 1,
        false => 1,
    };
    let finding = Finding::error("wrapped-in-fence", "the file is wrapped in a Markdown code fence")
        .at(sides.path, line)
        .help("Write the file's content alone, without the ``` lines around it.");
    Some(sides.deleting(finding, "Remove the fence lines", [fence.open, fence.close]))
}

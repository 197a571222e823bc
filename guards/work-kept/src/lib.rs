//! What others committed lately is not taken back without a word.

mod rules;
mod said;
mod taken_back;
mod telling;

use guard_generated::{is_generated, is_material, says_generated};
use guard_sdk::files::{Globs, Kind, kind_of};
use guard_sdk::{
    About, Capability, Change, Denied, Edits, File, Finding, Guard, Need, Severity, Stage, Verdict, guard,
};
use serde::Deserialize;

use taken_back::{ChangedLines, Extent};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Days.
    days: u32,
    /// Globs of paths.
    ignore: Globs,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { days: 42, ignore: Globs::default() }
    }
}

pub struct WorkKept;

impl Guard for WorkKept {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "What was committed in the last weeks is not taken back without a word.",
        stages: &[Stage::Content],
        needs: &[Need::new(Capability::Commits, "to know what recent commits made of the files that the change edits")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "work_kept.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let files: Vec<Concerned> = concerned(change, &settings);
        if files.is_empty() {
            return Ok(Verdict::not_applicable("the change edits no file by as much as could be the work of others"));
        }
        let paths: Vec<String> = files.iter().map(|file| file.file.path().to_owned()).collect();
        let findings = match change.recent_edits(&paths, settings.days) {
            Ok(recent) => judge(change, files, &recent),
            Err(Denied::Unavailable(why)) => vec![not_judged(&format!("earlier commits are not known: {why}"))],
            Err(denied) => return Err(format!("earlier commits cannot be read: {denied:?}")),
        };
        Ok(Verdict::from_findings(findings))
    }
}

guard!(WorkKept);

/// A file that the change edits.
struct Concerned<'c> {
    file: File<'c>,
    changed: ChangedLines,
}

impl Concerned<'_> {
    /// The newest commit before which the whole file was what it becomes. What lies between them goes with it.
    fn put_back_to(&self, recent: &[Edits]) -> Option<usize> {
        let becomes = self.file.after().blob()?;
        let before = |edits: &Edits| {
            edits.files.iter().any(|edited| edited.path == self.file.path() && edited.before == becomes.oid)
        };
        recent.iter().position(before).filter(|_| Extent::whole(&self.changed).is_taken_back())
    }
}

/// Files of one question to the host; of more those are looked at in which most lines change.
const MOST: usize = 100;

fn concerned<'c>(change: &'c Change, settings: &Settings) -> Vec<Concerned<'c>> {
    let edited = change.files().filter(|file| file.old_path().is_none() && may_hold_work(file.path(), settings));
    let edited = edited.filter(|file| file.before().is_regular() && file.after().is_regular());
    let mut found: Vec<(u32, File)> =
        edited.map(|file| (file.hunks().iter().map(|hunk| hunk.old_lines + hunk.new_lines).sum(), file)).collect();
    found.sort_by_key(|(lines, file)| (std::cmp::Reverse(*lines), file.path()));
    found.truncate(MOST);
    // What comes back or goes again is at least six lines of all files together.
    if found.iter().map(|(lines, _)| lines).sum::<u32>() < 6 {
        return Vec::new();
    }
    let of = |(_, file): (u32, File<'c>)| {
        let text = file.before().text().ok()?;
        if says_generated(&text) || is_generated(&text) {
            return None;
        }
        Some(Concerned { changed: ChangedLines::new(&file)?, file })
    };
    found.into_iter().filter_map(of).collect()
}

/// What programs write says the same again whenever they are run, and data changes to and fro.
fn may_hold_work(path: &str, settings: &Settings) -> bool {
    match kind_of(path) {
        Kind::Code | Kind::Test | Kind::Example | Kind::Template | Kind::Document | Kind::Configuration => {
            !is_material(path) && !settings.ignore.matches(path)
        }
        Kind::TestData | Kind::Generated | Kind::Vendored | Kind::Lock | Kind::Other => false,
    }
}

fn judge(change: &Change, mut files: Vec<Concerned>, recent: &[Edits]) -> Vec<Finding> {
    let mut places: Vec<Vec<Place>> = recent.iter().map(|_| Vec::new()).collect();
    for concerned in &mut files {
        if let Some(commit) = concerned.put_back_to(recent) {
            concerned.changed.use_all();
            let (path, line) = (concerned.file.path().to_owned(), concerned.changed.first_line());
            let lines = Extent::whole(&concerned.changed).lines();
            places[commit].push(Place { path, line, is_whole: true, is_redesign: false, lines });
        }
    }
    let severity = if change.is_by_model() { Severity::Error } else { Severity::Warning };
    let mut findings = Vec::new();
    let mut budget = change.scaled(COMPARED);
    for (edits, mut places) in recent.iter().zip(places) {
        match turned_around(&mut files, edits, &mut budget) {
            Some(found) => places.extend(found),
            None => {
                let message = "the change and what came before it are too large to be compared whole";
                findings.push(not_judged(&format!("{message}: commits from {} on are left out", id(edits))));
                break;
            }
        }
        if !said::is_said(change, &edits.commit) {
            let is_named = said::is_named(change, &edits.commit);
            let is_mild = is_named || places.iter().all(|place| place.is_redesign);
            findings.extend(finding(edits, &places, if is_mild { Severity::Warning } else { severity }));
        }
    }
    findings
}

/// Lines of one call that are compared for a change of a few lines.
const COMPARED: u64 = 200_000;

/// A file in which a commit is taken back.
struct Place {
    path: String,
    line: u32,
    /// The whole file is as it was before the commit.
    is_whole: bool,
    /// The file is written anew, and little of that is what was before the commit.
    is_redesign: bool,
    lines: usize,
}

/// Where hunks of the commit are turned around; nowhere if they are too few. None when the budget is used up.
fn turned_around(files: &mut [Concerned], edits: &Edits, budget: &mut u64) -> Option<Vec<Place>> {
    let mut all = Extent::default();
    let mut places = Vec::new();
    for edited in &edits.files {
        let Some(concerned) = files.iter_mut().find(|concerned| concerned.file.path() == edited.path) else { continue };
        let (extent, line) = taken_back::turned_around(edited, &mut concerned.changed, budget)?;
        // Of a file in which most of the commit stands, the change keeps its work.
        if let Some(line) = line.filter(|_| extent.turned * 2 >= extent.hunks) {
            all = all.and(extent);
            let is_redesign = concerned.changed.is_redesign() && extent.lines() * 4 < concerned.changed.lines();
            let (path, lines) = (edited.path.clone(), extent.lines());
            places.push(Place { path, line, is_whole: false, is_redesign, lines });
        }
    }
    Some(if all.is_taken_back() { places } else { Vec::new() })
}

fn not_judged(message: &str) -> Finding {
    Finding { severity: Severity::Info, ..Finding::error("not-judged", message) }
}

/// As git abbreviates it.
fn id(edits: &Edits) -> &str {
    let oid = edits.commit.oid.as_deref().unwrap_or_default();
    &oid[..oid.len().min(10)]
}

/// None without a place.
fn finding(edits: &Edits, places: &[Place], severity: Severity) -> Option<Finding> {
    let first = places.iter().max_by_key(|place| place.lines)?;
    let when = match edits.days_before {
        0 => "of the same day".to_owned(),
        1 => "of the day before".to_owned(),
        days => format!("of {days} days before"),
    };
    let name = format!("{} \"{}\", {when}", id(edits), edits.commit.subject());
    let (rule, message) = if first.is_whole {
        ("file-put-back", format!("{} becomes what it was before {name}", first.path))
    } else {
        ("work-taken-back", format!("{} takes back what {name}, changed here", first.path))
    };
    let help = "Start from the file as it is now and keep what that commit did; or, if it is to be taken back, say so in the task or in the message of the commit.";
    let mut finding = Finding { severity, ..Finding::error(rule, message) }.at(&first.path, first.line).help(help);
    for place in places.iter().filter(|place| place.path != first.path) {
        finding = finding.related(&place.path, place.line..=place.line, "and here");
    }
    Some(finding)
}

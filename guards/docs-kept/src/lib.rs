//! G13: code examples and prose of a document are not lost, and newlines are not collapsed into a literal `\n`.

mod document;
mod elsewhere;
mod format;
mod includes;
mod loss;
mod newline;
mod pair;
mod placeholder;
mod purpose;
mod rules;
mod swap;

use std::cell::OnceCell;

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{About, Change, File, Finding, Guard, Severity, Stage, Status, Unreadable, Verdict, Version, guard};
use serde::Deserialize;

use document::Document;
use elsewhere::{Elsewhere, Phrases};
use format::Format;
use pair::Pair;
use purpose::Purpose;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Share of a document's text, and of its code, that must be left.
    shrink_floor: f64,
    /// Characters of text from which on a document is large enough to be said to shrink.
    min_text: usize,
    /// The same for its code, if some of it is left.
    min_code: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { shrink_floor: 0.3, min_text: 500, min_code: 50 }
    }
}

pub struct DocsKept;

impl Guard for DocsKept {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G13",
        promise: "Code examples and prose of a document are not lost, and newlines are not collapsed.",
        stages: &[Stage::Content],
        globs: format::GLOBS,
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_doc_preservation.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let context = Context { settings, elsewhere: Elsewhere::new(change), change, purpose: OnceCell::new() };
        let (mut findings, mut unread_paths) = (Vec::new(), Vec::new());
        let mut concerned = false;
        let (mut read, most) = (0, change.scaled(BYTES));
        for file in change.files() {
            let Some(format) = Format::from_path(file.path()) else { continue };
            if !file.after().is_regular() || is_written_by_a_program(&file) {
                continue;
            }
            concerned = true;
            let size = |version: Version| version.blob().map_or(0, |blob| blob.size);
            read += size(file.before()) + size(file.after());
            if read > most {
                unread_paths.push(file.path());
                continue;
            }
            match judge(file, format, &context) {
                Ok(found) => findings.extend(found),
                Err(why) => findings.push(unread(file, &why)),
            }
        }
        findings.extend(documents::not_judged(&unread_paths));
        if !concerned {
            return Ok(Verdict::not_applicable("no document is added or changed"));
        }
        Ok(Verdict::from_findings(findings))
    }
}

guard!(DocsKept);

/// Whether a program writes the document anew each time, by where it stands, and did before the change.
fn is_written_by_a_program(file: &File) -> bool {
    let paths = [file.path(), file.old_path().unwrap_or(file.path())];
    paths.into_iter().all(|path| kind_of(path) == Kind::Generated)
}

/// What every document of a change is judged with.
struct Context<'c> {
    settings: Settings,
    elsewhere: Elsewhere<'c>,
    change: &'c Change,
    /// Read only when something is missed.
    purpose: OnceCell<Purpose>,
}

impl Context<'_> {
    /// Whether what is left says where the rest is, or the task or a person's message speaks of the loss.
    fn is_meant(&self, pair: &Pair) -> bool {
        purpose::is_pointer(pair.path, pair.after)
            || purpose::begins_anew(pair.path, pair.before, pair.after)
            || self.purpose.get_or_init(|| Purpose::new(self.change)).cuts(self.change, pair.path)
    }
}

fn judge(file: File, format: Format, context: &Context) -> Result<Vec<Finding>, Unreadable> {
    let after = Document::parse(format, file.after().text()?);
    // What a copy was made from is still there.
    if !file.before().is_regular() || file.status() == Status::Copied {
        return Ok(newline::in_new_document(file.path(), &after, pair::is_exact(&file, &after)));
    }
    // A document that was README.txt is judged by what README.txt was.
    let before_format = file.old_path().and_then(Format::from_path).unwrap_or(format);
    let before = Document::parse(before_format, file.before().text()?);
    if format::is_data(file.path(), &before.text) {
        return Ok(Vec::new());
    }
    let pair = Pair::new(&file, &before, &after);
    let replaced = || is_replaced(context.change, file.path(), &after.text) || is_reworked(context.change, file.path());
    let author = loss::Author::new(context.change);
    let mut findings = loss::find(&pair, &context.settings, &context.elsewhere, author, replaced);
    // Of a document that is gone as a whole, its parts need no mention.
    if findings.is_empty() {
        findings.extend(swap::find(&pair, &context.elsewhere, context.settings.min_code));
    }
    // What is meant is said all the same: whoever reads the change should know what goes with it.
    if findings.iter().any(|finding| finding.severity == Severity::Error) && context.is_meant(&pair) {
        findings.iter_mut().for_each(|finding| finding.severity = Severity::Warning);
    }
    findings.extend(newline::find(&pair));
    findings.extend(placeholder::find(&pair));
    Ok(findings)
}

/// Share of a document that another one had, from which on it is that one.
const SAME: f64 = 0.7;

/// Whether another document took this one's place: the change takes it away where it stood.
fn is_replaced(change: &Change, path: &str, after: &str) -> bool {
    let phrases = Phrases::new(after);
    let went = |file: &File| !file.after().exists() || file.old_path().is_some_and(|old| old != file.path());
    change.files().filter(|file| file.path() != path && went(file) && file.before().is_regular()).any(|file| {
        let is_document = Format::from_path(file.old_path().unwrap_or(file.path())).is_some();
        is_document && file.before().text().is_ok_and(|text| phrases.share_in(&Phrases::new(&text)) >= SAME)
    })
}

/// Documents beside a page, at least, that are written anew where a chapter or a manual is.
const REWORKED: usize = 3;
/// Lines of a document, at least, that the change writes, and their share of it.
const WRITTEN: (u32, f64) = (30, 1.0 / 3.0);

/// Whether a change writes the documents beside one anew: what one page loses may then be told otherwise on another.
fn is_reworked(change: &Change, path: &str) -> bool {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let is_written_anew = |file: &File| {
        let written: u32 = file.hunks().iter().map(|hunk| hunk.new_lines).sum();
        let all = file.after().text().map_or(0, |text| text.lines().count());
        written >= WRITTEN.0 && f64::from(written) >= WRITTEN.1 * all as f64
    };
    let mut beside = change.files().filter(|file| {
        file.path() != path
            && file.before().is_regular()
            && file.after().is_regular()
            && Format::from_path(file.path()).is_some()
            && folder(file.path()) == folder(path)
            && is_written_anew(file)
    });
    beside.nth(REWORKED - 1).is_some()
}

/// Bytes of documents that are read, on both sides together: a byte costs some 450 units of fuel, and this leaves a third of
/// what a host gives for a small change.
const BYTES: u64 = 3_000_000;

fn unread(file: File, why: &Unreadable) -> Finding {
    Finding::info("unreadable", format!("{} was not judged: {}", file.path(), why.reason())).file(file.path())
}

//! G14: every link that the change adds points to something, and the change breaks no link that stands.

mod anchors;
mod document;
mod elsewhere;
mod exempt;
mod html;
mod judge;
mod place;
mod rules;
mod shelf;
mod site;
mod target;
mod web;

use std::collections::BTreeSet;
use std::rc::Rc;

use guard_sdk::{
    About, Capability, Change, File, Finding, Guard, Need, Severity, Side, Stage, Unreadable, Verdict, guard,
};
use serde::Deserialize;

use document::{Document, is_markdown};
use judge::Judge;
use shelf::Shelf;
use web::Web;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Whether addresses of the web are asked.
    web: bool,
    /// Beginnings of targets that are not judged.
    ignore: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { web: true, ignore: Vec::new() }
    }
}

impl Settings {
    fn ignores(&self, target: &str) -> bool {
        self.ignore.iter().any(|start| target.starts_with(start))
    }
}

pub struct LinksResolve;

impl Guard for LinksResolve {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G14",
        promise: "Every link that the change adds points to something, and no link of another document breaks by it.",
        stages: &[Stage::Content],
        // Any file may be linked to: its going concerns this guard too.
        globs: &[],
        needs: &[
            Need::new(Capability::Repo, "to see whether the files and headings that links name are there"),
            Need::new(Capability::Net, "to ask whether the web addresses that links name are alive"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_url_grounding.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut findings = Vec::new();
        let mut web = Web::default();
        let shelf = Shelf::new(change);
        let mut concerned = false;
        let (mut lost, mut unread_paths) = (BTreeSet::new(), Vec::new());
        for file in change.files().filter(|file| is_markdown(file.path()) && !exempt::is_material(file.path())) {
            if !file.after().is_regular() {
                continue;
            }
            concerned = true;
            match sides(&shelf, file) {
                Ok(Some((before, after))) => {
                    if file.old_path().is_none_or(|old| old == file.path()) {
                        lost.extend(before.anchors.lost(&after.anchors));
                    }
                    Judge::new(&shelf, file, &before, &settings).judge(&after, &mut findings, &mut web);
                }
                Ok(None) => unread_paths.push(file.path()),
                Err(why) => findings.push(unread(file, &why)),
            }
        }
        findings.extend(documents::not_judged(&unread_paths));
        concerned |= elsewhere::find(&shelf, lost, &settings, &mut findings);
        if !concerned {
            return Ok(Verdict::not_applicable("no document is added or changed, and none links to what went"));
        }
        if settings.web {
            findings.extend(web.ask(change));
        }
        findings.sort_by(|a, b| (&a.path, a.line, &a.message).cmp(&(&b.path, b.line, &b.message)));
        Ok(Verdict::from_findings(bounded(findings, shelf.left())))
    }
}

guard!(LinksResolve);

/// Findings that are listed: more than anybody reads, and less than the thousand at which the host cuts a list, whose end nobody would see.
const LISTED: usize = 500;

/// The worst first, if some have to be left out; and how many links are not among them.
fn bounded(mut findings: Vec<Finding>, not_followed: u32) -> Vec<Finding> {
    let unlisted = findings.len().saturating_sub(LISTED);
    if unlisted > 0 {
        // Stable: in the order of the files among those of one severity.
        findings.sort_by_key(|finding| match finding.severity {
            Severity::Error => 0,
            Severity::Warning => 1,
            Severity::Info => 2,
        });
        findings.truncate(LISTED);
    }
    let parts = [
        (not_followed > 0).then(|| format!("{not_followed} links were not judged")),
        (unlisted > 0).then(|| format!("{unlisted} more findings are not listed")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        let message = format!("the change has too many links to follow and list them all: {}", parts.join(", and "));
        findings.insert(0, Finding::info("too-many-links", message).help("Make several changes of it."));
    }
    findings
}

type Sides = (Rc<Document>, Rc<Document>);

/// The document before, empty if there was none, and after; None when the change is too large to read it.
fn sides(shelf: &Shelf, file: File) -> Result<Option<Sides>, Unreadable> {
    file.after().text()?;
    let old = file.old_path().unwrap_or(file.path());
    let had_links = file.before().is_regular() && is_markdown(old);
    let before = if had_links { shelf.document(Side::Before, old) } else { None };
    let before = before.unwrap_or_else(|| Rc::new(Document::parse("")));
    let after = shelf.document(Side::After, file.path());
    // Without the base, what was dead already would be reported.
    Ok(after.filter(|_| !shelf.is_full()).map(|after| (before, after)))
}

fn unread(file: File, why: &Unreadable) -> Finding {
    Finding::info("unreadable", format!("{} was not judged: {}", file.path(), why.reason())).file(file.path())
}

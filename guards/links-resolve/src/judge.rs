//! The links of one touched document.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use guard_sdk::{File, Finding, Hunk, Severity, Side, log};

use crate::Settings;
use crate::anchors::Rule;
use crate::document::{Document, Link, is_markdown};
use crate::exempt::{is_form, is_record};
use crate::place::{Ground, Place};
use crate::shelf::Shelf;
use crate::site::is_page;
use crate::target::Target;
use crate::web::Web;

pub struct Judge<'c> {
    shelf: &'c Shelf<'c>,
    file: File<'c>,
    before: &'c Document,
    /// What the document linked to before.
    known: HashSet<String>,
    /// What became of each target, on each side: many links lead to one.
    found: RefCell<HashMap<Asked, Option<Rc<Broken>>>>,
    settings: &'c Settings,
}

/// A target as it is written, whether it stands in HTML, and whether the candidate was asked.
type Asked = (String, bool, bool);

/// What is wrong with a link into the repository.
pub enum Broken {
    Path,
    Anchor {
        /// The document that has no such anchor.
        document: String,
        /// Some that it has.
        names: Vec<String>,
        /// Why it may be there all the same.
        doubt: Option<Doubt>,
    },
}

impl Broken {
    /// Whether both lack the same: the file, or the heading of one.
    fn is_as(&self, other: &Broken) -> bool {
        matches!((self, other), (Broken::Path, Broken::Path) | (Broken::Anchor { .. }, Broken::Anchor { .. }))
    }
}

/// Since when a link leads to nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// It comes with the change.
    New,
    /// It led somewhere before the change, which moved or took away what it led to.
    Worked,
    /// The line that it replaces had the same link in another form, which led nowhere either.
    Always,
}

/// What makes an anchor that no document shows.
pub enum Doubt {
    /// A site's generator and its plugins.
    Site,
    /// A generator elsewhere, by whose rule the fragment is the slug of a heading: who puts hyphens in other places than the forge.
    /// Holds the forge's own.
    Spelling(String),
}

impl<'c> Judge<'c> {
    pub fn new(shelf: &'c Shelf<'c>, file: File<'c>, before: &'c Document, settings: &'c Settings) -> Self {
        let known = before.links.iter().map(|link| link.target.clone()).collect();
        Judge { shelf, file, before, known, found: RefCell::default(), settings }
    }

    pub fn judge(&self, after: &Document, findings: &mut Vec<Finding>, web: &mut Web) {
        let path = self.file.path();
        for link in after.links.iter().filter(|link| !self.settings.ignores(&link.target)) {
            match Target::read(&link.target) {
                Some(Target::Url(url)) if !self.known.contains(&link.target) => web.add(url, path, link.line),
                Some(Target::Place { path: to, fragment }) if !is_form(path) => {
                    let Some(broken) = self.broken(Side::After, path, link, &to, &fragment) else { continue };
                    if !self.known.contains(&link.target) && !self.was_broken_with_another_ending(link) {
                        let since = if self.was_broken_in_its_line(link, &broken) { Since::Always } else { Since::New };
                        findings.push(finding(self.shelf, path, link, &broken, since));
                        continue;
                    }
                    if !self.known.contains(&link.target) {
                        continue;
                    }
                    let old = self.file.old_path().unwrap_or(path);
                    if !is_record(path) && self.broken(Side::Before, old, link, &to, &fragment).is_none() {
                        findings.push(finding(self.shelf, path, link, &broken, Since::Worked));
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the base links to the same place with another ending, and it leads nowhere there: the pages of a site got another format, and
    /// what makes the page that is missing makes it as before.
    fn was_broken_with_another_ending(&self, link: &Link) -> bool {
        let old = self.file.old_path().unwrap_or_else(|| self.file.path());
        let stem = without_ending(&link.target);
        let is_missing = |target: &String| match Target::read(target) {
            Some(Target::Place { path, fragment }) => {
                let link = Link { target: target.clone(), ..link.clone() };
                self.broken(Side::Before, old, &link, &path, &fragment).is_some()
            }
            Some(Target::Url(_)) | None => false,
        };
        self.known.iter().filter(|known| stem.is_some() && without_ending(known) == stem).any(is_missing)
    }

    /// Whether the lines that a link replaces held one to the same name, which was broken in the same way: who only spells it otherwise
    /// takes nothing away from a reader.
    fn was_broken_in_its_line(&self, link: &Link, broken: &Broken) -> bool {
        let Some(name) = last_name(&link.target) else { return false };
        let is_of = |hunk: &Hunk| (hunk.new_start..hunk.new_start + hunk.new_lines).contains(&link.line);
        let Some(hunk) = self.file.hunks().into_iter().find(is_of) else { return false };
        let replaced = hunk.old_start..hunk.old_start + hunk.old_lines;
        let old = self.file.old_path().unwrap_or_else(|| self.file.path());
        let forms =
            self.before.links.iter().filter(|was| replaced.contains(&was.line) && last_name(&was.target) == Some(name));
        let mut was_broken = forms.filter_map(|was| match Target::read(&was.target) {
            Some(Target::Place { path, fragment }) => self.broken(Side::Before, old, was, &path, &fragment),
            Some(Target::Url(_)) | None => None,
        });
        was_broken.any(|was| was.is_as(broken))
    }

    fn broken(&self, side: Side, document: &str, link: &Link, path: &str, fragment: &str) -> Option<Rc<Broken>> {
        let asked = (link.target.clone(), link.raw, side == Side::After);
        if let Some(found) = self.found.borrow().get(&asked) {
            return found.clone();
        }
        let left = self.shelf.left();
        let found = broken(self.shelf, side, document, link, path, fragment).map(Rc::new);
        // Each link that is not followed counts.
        if self.shelf.left() == left {
            self.found.borrow_mut().insert(asked, found.clone());
        }
        found
    }
}

/// The path without what follows the last point of its name, and the fragment; None where the name has no point.
fn without_ending(target: &str) -> Option<(&str, &str)> {
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    path.rsplit_once('.').filter(|(_, ending)| !ending.contains('/')).map(|(path, _)| (path, fragment))
}

/// The name of the file that a target means, and its fragment; None where it has no name.
fn last_name(target: &str) -> Option<(&str, &str)> {
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    let name = path.trim_end_matches('/').rsplit('/').next()?;
    (!name.is_empty()).then_some((name, fragment))
}

/// What is wrong with a link of a document on one side.
pub fn broken(shelf: &Shelf, side: Side, document: &str, link: &Link, path: &str, fragment: &str) -> Option<Broken> {
    let page = || is_page(shelf, side, document);
    let found = |page| Ground { shelf, side, document, page }.find(path, link.raw);
    // Whether it is a page makes a difference only to what is missing.
    let place = match found(false) {
        Place::Missing => found(page()),
        place => place,
    };
    match place {
        Place::Missing => Some(Broken::Path),
        Place::Unknown(why) => {
            log::debug(format!("{document}:{}: {} is not judged: {why}", link.line, link.target));
            None
        }
        Place::Left => {
            shelf.leave();
            None
        }
        Place::File(target) if is_markdown(&target) && !is_free(fragment) => {
            let document = shelf.document(side, &target)?;
            let anchors = &document.anchors;
            let rule = if page() { Rule::Letters } else { Rule::Hyphens };
            if anchors.is_open || anchors.has(fragment, rule) {
                return None;
            }
            if path.is_empty() && page() && shelf.has_label(side, fragment) {
                return None;
            }
            let doubt = match page() {
                true => (!path.is_empty() || anchors.nearly_has(fragment)).then_some(Doubt::Site),
                false if is_for_the_forge(&target) => None,
                false => anchors.spelled(fragment).map(|name| Doubt::Spelling(name.to_string())),
            };
            let names = anchors.names().take(SHOWN).map(str::to_string).collect();
            Some(Broken::Anchor { document: target, names, doubt })
        }
        Place::File(_) | Place::Folder => None,
    }
}

/// Whether people read a document at the forge before anywhere else, whatever site it may be a page of too.
fn is_for_the_forge(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !path.contains('/') || path.starts_with(".github/") || name.to_ascii_uppercase().starts_with("README")
}

/// Anchors that a finding lists.
const SHOWN: usize = 12;

/// Fragments that every page has, that name lines, or that a forge or a browser makes up.
fn is_free(fragment: &str) -> bool {
    let line = fragment.strip_prefix('L').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let made = ["user-content-", ":~:", "fn", "footnote", "issuecomment", "__", "/", "!"];
    fragment.is_empty()
        || line
        // The last two are elements of GitHub's own page, around the document.
        || matches!(fragment, "top" | "readme" | "repo-content-pjax-container" | "start-of-content")
        || made.iter().any(|start| fragment.starts_with(start))
}

pub fn finding(shelf: &Shelf, path: &str, link: &Link, broken: &Broken, since: Since) -> Finding {
    let finding = described(shelf, path, link, broken, since);
    match since {
        Since::New | Since::Worked => finding,
        Since::Always => Finding { severity: Severity::Warning, ..finding },
    }
}

fn described(shelf: &Shelf, path: &str, link: &Link, broken: &Broken, since: Since) -> Finding {
    let target = &link.target;
    let any_more = match since {
        Since::New => "",
        Since::Always => ", and neither did the one that stood there",
        Since::Worked => " any more: before this change it did",
    };
    match broken {
        Broken::Path => {
            let near = near(shelf, target);
            let help = match near.is_empty() {
                true => "Link to a file that exists, or leave the link out.".to_string(),
                false => format!(
                    "Link to a file that exists, or leave the link out. Of that name there is {}.",
                    near.join(", ")
                ),
            };
            Finding::error("link-broken", format!("the link to {target} leads to no file of the repository{any_more}"))
                .at(path, link.line)
                .help(help)
        }
        Broken::Anchor { document, names, doubt } => {
            let message = format!("the link to {target} leads to no heading of {document}{any_more}");
            let help = match (doubt, names.is_empty()) {
                (Some(Doubt::Spelling(name)), _) => {
                    format!(
                        "On a forge, that heading is #{name}. Keep the link as it is if the site that shows the document names it so."
                    )
                }
                (_, true) => "Link to the document without a fragment: it has no headings.".to_string(),
                (_, false) => format!(
                    "Link to a heading that exists, or to the document without a fragment. Its anchors: {}.",
                    names.join(", ")
                ),
            };
            let finding = match doubt {
                None => Finding::error("anchor-broken", message),
                Some(Doubt::Site | Doubt::Spelling(_)) => Finding::warning("anchor-broken", message),
            };
            finding.at(path, link.line).help(help)
        }
    }
}

/// Files of the candidate whose name is the target's.
fn near(shelf: &Shelf, target: &str) -> Vec<String> {
    let Some(Target::Place { path, .. }) = Target::read(target) else { return Vec::new() };
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if name.len() < 3 || name.len() > 100 || name.contains(['[', ']', '\\', '!', '?']) || name.starts_with("..") {
        return Vec::new();
    }
    shelf.named(name)
}

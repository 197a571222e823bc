//! Where pages are, and so how they link to one another.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    Board,
    /// A run's id.
    Run(String),
    /// A run's id and the number of the round.
    Change(String, u32),
    Guards,
    /// A guard's id.
    Guard(String),
    Files,
    Statistics,
    /// What the gate ruled in a repository.
    Gate,
    Issues,
    Pulls,
    /// A run's id.
    Audit(String),
    /// What the workers of a fleet do. Only servers have it: see [`super::fleet_document`].
    Fleet,
}

/// Where a server has the pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mount {
    /// Before every path; empty, or `/pages`.
    pub prefix: String,
    /// The path of the server-sent events. None for pages that do not change by themselves.
    pub events: Option<String>,
    /// The server has a fleet, and a page about it.
    pub has_fleet: bool,
}

impl Page {
    /// The page at a path below the prefix, such as `/runs/01a2/rounds/2`. `path` is as in the request, percent-encoded.
    pub fn from_path(path: &str) -> Option<Page> {
        let parts: Vec<String> = path.trim_matches('/').split('/').map(decoded).collect::<Option<_>>()?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        Some(match parts.as_slice() {
            [""] | ["runs"] => Page::Board,
            ["runs", id] => Page::Run((*id).to_owned()),
            ["runs", id, "rounds", round] => Page::Change((*id).to_owned(), round.parse().ok()?),
            ["runs", id, "audit"] => Page::Audit((*id).to_owned()),
            ["guards"] => Page::Guards,
            ["guards", id] => Page::Guard((*id).to_owned()),
            ["files"] => Page::Files,
            ["statistics"] => Page::Statistics,
            ["gate"] => Page::Gate,
            ["issues"] => Page::Issues,
            ["pulls"] => Page::Pulls,
            ["fleet"] => Page::Fleet,
            _ => return None,
        })
    }

    /// The id of the run that the page is about.
    pub fn run(&self) -> Option<&str> {
        match self {
            Page::Run(id) | Page::Change(id, _) | Page::Audit(id) => Some(id),
            Page::Board
            | Page::Guards
            | Page::Guard(_)
            | Page::Files
            | Page::Statistics
            | Page::Gate
            | Page::Issues
            | Page::Pulls
            | Page::Fleet => None,
        }
    }

    /// The path below the prefix.
    pub fn path(&self) -> String {
        match self {
            Page::Board => "/".to_owned(),
            Page::Run(id) => format!("/runs/{}", encoded(id, "")),
            Page::Change(id, round) => format!("/runs/{}/rounds/{round}", encoded(id, "")),
            Page::Guards => "/guards".to_owned(),
            Page::Guard(id) => format!("/guards/{}", encoded(id, "")),
            Page::Files => "/files".to_owned(),
            Page::Statistics => "/statistics".to_owned(),
            Page::Gate => "/gate".to_owned(),
            Page::Issues => "/issues".to_owned(),
            Page::Pulls => "/pulls".to_owned(),
            Page::Audit(id) => format!("/runs/{}/audit", encoded(id, "")),
            Page::Fleet => "/fleet".to_owned(),
        }
    }
}

pub enum SourceLocation<'a> {
    /// Sections of one file.
    File,
    Server(&'a Mount),
}

impl SourceLocation<'_> {
    pub fn href(&self, page: &Page) -> String {
        match self {
            SourceLocation::File => format!("#{}", in_file(page)),
            SourceLocation::Server(mount) => format!("{}{}", mount.prefix, page.path()),
        }
    }

    /// A line of a change; without a line, the file.
    pub fn line(&self, page: &Page, path: &str, line: Option<u32>) -> String {
        match self {
            SourceLocation::File => format!("#{}", self.line_id(page, path, line)),
            SourceLocation::Server(_) => format!("{}#{}", self.href(page), self.line_id(page, path, line)),
        }
    }

    /// The id of that line, and the part of a link behind `#`: browsers find it without a script.
    pub fn line_id(&self, page: &Page, path: &str, line: Option<u32>) -> String {
        let file = format!("f={}", named(path, "/"));
        let place = line.map_or_else(|| file.clone(), |line| format!("{file}&L={line}"));
        match self {
            SourceLocation::File => format!("{}&{place}", in_file(page)),
            SourceLocation::Server(_) => place,
        }
    }
}

/// The id of a page's section.
pub fn in_file(page: &Page) -> String {
    match page {
        Page::Board => "board".to_owned(),
        Page::Run(id) => format!("run-{}", anchor(id)),
        Page::Change(id, round) => format!("change-{}-{round}", anchor(id)),
        Page::Guards => "guards".to_owned(),
        Page::Guard(id) => format!("guard-{}", anchor(id)),
        Page::Files => "files".to_owned(),
        Page::Statistics => "statistics".to_owned(),
        Page::Gate => "gate".to_owned(),
        Page::Issues => "issues".to_owned(),
        Page::Pulls => "pulls".to_owned(),
        Page::Audit(id) => format!("audit-{}", anchor(id)),
        Page::Fleet => "fleet".to_owned(),
    }
}

/// A name as a part of an id.
pub fn anchor(name: &str) -> String {
    named(name, "")
}

/// Percent-encoded; a name longer than any that is used is named by its digest, so that it does not fill the page.
fn named(name: &str, kept: &str) -> String {
    match name.len() {
        0..=500 => encoded(name, kept),
        _ => Sha256::digest(name.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// Percent-encoded, but for letters, digits, `-`, `_`, `.` and what is in `kept`.
pub fn encoded(text: &str, kept: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) || kept.as_bytes().contains(&byte) {
            out.push(byte as char);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// None for what is no percent-encoded UTF-8.
pub fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || (rest.next()? as char).to_digit(16);
        bytes.push((digit()? * 16 + digit()?) as u8);
    }
    String::from_utf8(bytes).ok()
}

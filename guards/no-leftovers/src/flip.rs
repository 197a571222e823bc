//! Line endings and indentation of a whole file, changed by the way.

use guard_sdk::files::Globs;
use guard_sdk::{Change, Edit, File, Finding, Severity, Side};

use crate::intent::Intent;
use crate::place::{self, Kind};

/// Files that say how others end and indent their lines.
const FORMATS: [&str; 13] = [
    ".gitattributes",
    ".editorconfig",
    ".prettierrc",
    ".prettierrc.json",
    "biome.json",
    "rustfmt.toml",
    ".rustfmt.toml",
    ".clang-format",
    "pyproject.toml",
    "package.json",
    ".pre-commit-config.yaml",
    ".oxfmtrc.json",
    "dprint.json",
];

pub fn judge(change: &Change, file: &File, after: &str, intent: &Intent) -> Option<Finding> {
    if !file.before().is_regular() || place::kind(file.path()) == Kind::Open {
        return None;
    }
    let hunks = file.hunks();
    let new: u32 = hunks.iter().map(|hunk| hunk.new_lines).sum();
    let has_returns = after.contains('\r');
    let is_rewritten = new >= 8 && hunks.len() <= 200;
    if !has_returns && !is_rewritten {
        return None;
    }
    let before = file.before().text().ok()?;
    if has_returns || before.contains('\r') {
        let finding = endings(file, &before, after, intent)?;
        let becomes_feeds = !has_returns;
        return match becomes_feeds {
            true if wants_feeds(change) => None,
            // Reviewers see every line as changed, but nothing is broken: of four such files in agents' pull requests that were merged none
            // was fixed.
            true if was_the_exception(change, file.path()) => {
                Some(Finding { severity: Severity::Warning, fix: None, ..finding })
            }
            true => Some(Finding { severity: Severity::Warning, ..finding }),
            false => Some(finding),
        };
    }
    // Towards what the repository asks for it is no flip.
    indentation(file, &before, after, intent)
        .filter(|(now, _)| wanted_indentation(change, file.path()).as_deref() != Some(*now))
        .map(|(_, finding)| finding)
}

/// Whether the repository says that its lines end with LF: a file that comes to it is fixed.
fn wants_feeds(change: &Change) -> bool {
    let said = [(".gitattributes", "eol=lf"), (".gitattributes", "text=auto"), (".editorconfig", "end_of_line = lf")];
    said.iter().any(|(path, words)| change.repo(Side::Before).text(path).is_ok_and(|text| text.contains(words)))
}

/// Files beside one that tell how a folder's files end their lines: how many are read, and how many say enough.
const BESIDE: (usize, usize) = (12, 3);
/// Bytes of the longest of them.
const LONGEST: u64 = 200_000;

/// Whether the files beside it that have its extension all end their lines with LF: the file is brought in line.
fn was_the_exception(change: &Change, path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let Some((_, extension)) = name.rsplit_once('.') else { return false };
    if path.contains(['*', '?', '[', '{', '\\']) {
        return false;
    }
    let repo = change.repo(Side::Before);
    let beside = repo.find(&[&format!("/{folder}/*.{extension}").replace("//", "/")], 60);
    let is_short = |path: &String| matches!(repo.stat(path), Ok(Some(blob)) if blob.size <= LONGEST);
    let untouched =
        beside.into_iter().filter(|path| !change.files().any(|file| file.old_path().unwrap_or(file.path()) == path));
    let texts = untouched.filter(is_short).filter_map(|path| repo.text(&path).ok()).filter(|text| text.contains('\n'));
    let texts: Vec<String> = texts.take(BESIDE.0).collect();
    texts.len() >= BESIDE.1 && texts.iter().all(|text| !text.contains('\r'))
}

/// Lines that end with a line feed alone, and with both.
fn count(text: &str) -> (usize, usize) {
    let all = text.bytes().filter(|byte| *byte == b'\n').count();
    let both = text.matches("\r\n").count();
    (all - both, both)
}

fn endings(file: &File, before: &str, after: &str, intent: &Intent) -> Option<Finding> {
    let ((feeds, both), (new_feeds, new_both)) = (count(before), count(after));
    let (was, gained, of) = match (feeds, both) {
        (2.., 0) => ("LF", new_both, new_feeds),
        (0, 2..) => ("CRLF", new_feeds, new_both),
        _ => return None,
    };
    let is_meant = intent.touches(&FORMATS)
        || intent.speaks_of(&[
            "crlf",
            "eol",
            "eols",
            "lf",
            "ending",
            "dos2unix",
            "unix2dos",
            "newline",
            "normali",
            "whitespace",
            "lint",
            "format",
            "reformat",
        ]);
    if gained == 0 || is_meant {
        return None;
    }
    let now = if was == "LF" { "CRLF" } else { "LF" };
    let lines = if of == 0 { "every line".into() } else { format!("{gained} of {} lines", gained + of) };
    let plural = if of == 0 { "now ends" } else { "now end" };
    let message =
        format!("{lines} of {} {plural} with {now}; before the change every line ended with {was}", file.path());
    let restored = after.replace("\r\n", "\n");
    let restored = if was == "LF" { restored } else { restored.replace('\n', "\r\n") };
    let finding = file
        .error("line-endings-changed", message)
        .help(format!("Write every line of this file with {was}, as it was."));
    match file.after().blob().is_some_and(|blob| blob.size == after.len() as u64) {
        true => {
            Some(finding.fix(
                format!("Write every line with {was}"),
                vec![Edit::replace(file.path(), 0..after.len(), restored)],
            ))
        }
        false => Some(finding),
    }
}

/// Lines that begin with a tab, and with two blanks or more.
fn indents(text: &str) -> (usize, usize) {
    let tabs = text.lines().filter(|line| line.starts_with('\t')).count();
    (tabs, text.lines().filter(|line| line.starts_with("  ")).count())
}

/// What the whole file is indented with now, and that it was not.
fn indentation(file: &File, before: &str, after: &str, intent: &Intent) -> Option<(&'static str, Finding)> {
    let ((tabs, blanks), (new_tabs, new_blanks)) = (indents(before), indents(after));
    let (was, now) = match () {
        _ if tabs >= 8 && blanks * 10 <= tabs && new_blanks >= 8 && new_tabs * 10 <= new_blanks => ("tabs", "spaces"),
        _ if blanks >= 8 && tabs * 10 <= blanks && new_tabs >= 8 && new_blanks * 10 <= new_tabs => ("spaces", "tabs"),
        _ => return None,
    };
    // gofmt knows one way, and every program of Go comes to it.
    let is_gofmt = file.extension() == "go" && now == "tabs";
    let is_meant = is_gofmt
        || intent.touches(&FORMATS)
        || intent.files() > 20
        || intent.speaks_of(&[
            "indent", "tab", "tabs", "spaces", "format", "reformat", "style", "prettier", "black", "ruff", "gofmt",
            "lint", "rewrite", "biome", "oxfmt",
        ]);
    // A file that was written anew may indent as it likes.
    let old: std::collections::HashSet<&str> = before.lines().map(str::trim).filter(|line| line.len() > 3).collect();
    let lines = after.lines().map(str::trim).filter(|line| line.len() > 3);
    let (kept, all) = lines.fold((0, 0), |(kept, all), line| (kept + usize::from(old.contains(line)), all + 1));
    if is_meant || kept * 10 < all * 6 {
        return None;
    }
    let message = format!("{} was indented with {was}, and the whole of it is now indented with {now}", file.path());
    let help = format!("Indent with {was}, as the file did, and change only the lines that the task needs.");
    Some((now, file.error("indentation-flipped", message).help(help)))
}

/// Tabs or spaces, as `.editorconfig` at the root of the base asks of a file: its last section that names the file and says so.
fn wanted_indentation(change: &Change, path: &str) -> Option<String> {
    let text = change.repo(Side::Before).text(".editorconfig").ok()?;
    let (mut names_it, mut wanted) = (false, None);
    for line in text.lines().map(str::trim) {
        if let Some(glob) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            names_it = Globs::new(&[glob]).is_ok_and(|globs| globs.matches(path));
        } else if let Some((key, value)) = line.split_once('=').filter(|_| names_it)
            && key.trim().eq_ignore_ascii_case("indent_style")
        {
            wanted = match value.trim().to_ascii_lowercase().as_str() {
                "tab" => Some("tabs".to_owned()),
                "space" => Some("spaces".to_owned()),
                _ => None,
            };
        }
    }
    wanted
}

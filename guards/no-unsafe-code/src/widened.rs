//! What the base had narrower: a mode of a file, origins with names, a host that was compared as a whole. What a program opens anew may be
//! meant; what takes the place of something narrower opens what was closed.

use guard_sdk::text::lines_in;
use guard_sdk::{File, Finding, Hunk, Severity};

use crate::signs::dense;

/// The lines of a hunk that went, and those that came, each with its number.
struct Exchange<'t> {
    went: Vec<&'t str>,
    came: Vec<(u32, &'t str)>,
}

fn exchange<'t>(hunk: &Hunk, before: &[&'t str], after: &[&'t str]) -> Exchange<'t> {
    let skip = |start: u32| start.saturating_sub(1) as usize;
    let went = before.iter().skip(skip(hunk.old_start)).take(hunk.old_lines as usize);
    let came = (hunk.new_start..).zip(after.iter().skip(skip(hunk.new_start)).take(hunk.new_lines as usize));
    Exchange { went: went.copied().collect(), came: came.map(|(number, line)| (number, *line)).collect() }
}

fn before(file: &File) -> Option<String> {
    file.before().is_regular().then(|| file.before().text().ok()).flatten()
}

/// Modes that let everybody write and took the place of one that does not, in an otherwise equal line.
pub fn modes(file: &File, after: &str) -> Vec<Finding> {
    let changed = file.changed_lines();
    let runs = changed.iter().map(|run| (*run.start(), run.end() - run.start() + 1));
    let opens = |line: &str| modes_of(line).is_some_and(|(_, modes)| modes.iter().any(|mode| is_open(*mode)));
    if !lines_in(after, runs).into_iter().any(|(_, line)| opens(line)) {
        return Vec::new();
    }
    let Some(before) = before(file) else { return Vec::new() };
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut findings = Vec::new();
    for hunk in file.hunks() {
        let Exchange { went, came } = exchange(&hunk, &old, &new);
        for (number, line) in came {
            let Some((rest, modes)) = modes_of(line) else { continue };
            let widens = |old: &&str| {
                modes_of(old).is_some_and(|(other, narrow)| {
                    other == rest && narrow.iter().zip(&modes).any(|(was, is)| !is_open(*was) && is_open(*is))
                })
            };
            if went.iter().any(widens) {
                let shown: String = line.trim().chars().take(60).collect();
                let about = format!("`{shown}` lets everybody on the machine write, which the base did not");
                let finding = Finding::error("mode-open-to-all", about).at(file.path(), number);
                findings.push(finding.help("Give only the owner the right to write: 0o600, 0o644, 0o755."));
            }
        }
    }
    findings
}

fn is_open(mode: u32) -> bool {
    mode & 0o002 != 0
}

/// A line without its modes, and these. None of a line without any, and of what takes rights away.
fn modes_of(line: &str) -> Option<(String, Vec<u32>)> {
    let lower = line.to_ascii_lowercase();
    if lower.contains("umask") {
        return None;
    }
    const FILES: [&str; 8] = ["chmod", "mode", "perm", "mkdir", "makedirs", "openfile", "writefile", "open("];
    if !FILES.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let is_set = lower.contains("chmod") || lower.contains("mode");
    let (mut rest, mut modes) = (String::new(), Vec::new());
    for word in line.split_inclusive(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')) {
        let name = word.trim_end_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
        let digits = match name.strip_prefix("0o").or_else(|| name.strip_prefix('0')) {
            Some(digits) => Some(digits),
            None => Some(name).filter(|_| is_set),
        };
        let mode = match name {
            "os.ModePerm" | "fs.ModePerm" => Some(0o777),
            _ => {
                digits.filter(|digits| matches!(digits.len(), 3 | 4)).and_then(|text| u32::from_str_radix(text, 8).ok())
            }
        };
        match mode {
            Some(mode) => {
                modes.push(mode);
                rest.push('#');
                rest.push_str(&word[name.len()..]);
            }
            None => rest.push_str(word),
        }
    }
    (!modes.is_empty()).then(|| (rest.trim().to_owned(), modes))
}

/// Words before which origins are named, of the frameworks whose open forms are known.
#[rustfmt::skip]
const ORIGINS: [&str; 8] = [
    "allow_origin", "Allow-Origin", "origins", "origin:", "AllowOrigins", "AllowedOrigin", "allowedOrigin", "WithOrigins",
];

/// Makes errors of the warnings about origins and hosts whose line took the place of a narrower one.
pub fn raise(file: &File, after: &str, findings: &mut [Finding]) {
    let is_of = |finding: &Finding| matches!(finding.rule.as_str(), "origin-open-to-all" | "host-by-substring");
    if !findings.iter().any(is_of) {
        return;
    }
    let Some(before) = before(file) else { return };
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let exchanges: Vec<Exchange> = file.hunks().iter().map(|hunk| exchange(hunk, &old, &new)).collect();
    for finding in findings.iter_mut().filter(|finding| is_of(finding)) {
        let lines: Vec<u32> =
            finding.line.into_iter().chain(finding.related.iter().map(|other| *other.lines.start())).collect();
        let is_narrowed = exchanges.iter().any(|Exchange { went, came }| {
            came.iter().filter(|(number, _)| lines.contains(number)).any(|(_, line)| match finding.rule.as_str() {
                "origin-open-to-all" => went.iter().any(|old| names_origins(old)),
                _ => went.iter().any(|old| compares_host(old, line)),
            })
        });
        if is_narrowed {
            finding.severity = Severity::Error;
        }
    }
}

fn names_origins(line: &str) -> bool {
    let text = dense(line);
    ORIGINS.iter().any(|word| text.contains(word)) && !text.contains('*') && !text.contains("Any")
}

/// Whether a line compared the host that another looks for, as a whole.
fn compares_host(old: &str, new: &str) -> bool {
    let quoted = |line: &str| line.split(['"', '\'', '`']).skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let hosts = quoted(new);
    let is_same = quoted(old)
        .iter()
        .any(|host| host.contains('.') && hosts.iter().any(|new| new.contains(host.trim_start_matches('.'))));
    let whole = [
        "==",
        "!=",
        ".has(",
        " in {",
        " in (",
        " in [",
        ".endswith(",
        ".endsWith(",
        ".equals(",
        "ends_with(",
        "HasSuffix(",
    ];
    is_same && whole.iter().any(|sign| old.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_of_a_line() {
        for (line, modes) in [
            ("os.MkdirAll(dir, 0o755)", Some(vec![0o755])),
            ("os.OpenFile(p, os.O_CREATE, 0644)", Some(vec![0o644])),
            ("os.MkdirAll(dir, os.ModePerm)", Some(vec![0o777])),
            ("RUN chmod -R 777 /srv", Some(vec![0o777])),
            ("umask 0022", None),
            ("x = 755", None),
            ("port = 0.777", None),
        ] {
            assert_eq!(modes_of(line).map(|(_, modes)| modes), modes, "{line}");
        }
        assert_eq!(modes_of("mkdir(0755)").unwrap().0, modes_of("mkdir(0777)").unwrap().0);
        assert!(compares_host("if host == \"a.org\":", "if \"a.org\" in url:"));
        assert!(!compares_host("if x == \"b.org\":", "if \"a.org\" in url:"));
        assert!(names_origins("allow_origins=[\"https://a.org\"],") && !names_origins("allow_origins=[\"*\"],"));
    }
}

//! Paths of the machine on which the change was made: a home, or the folder of a sandbox.

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{Change, Finding, Severity, Side};

use crate::added::Added;

/// Lines of the base from which on a home is an example of the project.
const KNOWN: u32 = 3;

/// Folders that the sandboxes of agents work in.
const SANDBOXES: [&str; 4] = ["/testbed/", "/mnt/data/", "/workspace/repo/", "/tmp/outputs/"];

/// People who stand for any, and accounts of images and services.
#[rustfmt::skip]
const ANYBODY: [&str; 52] = [
    "user", "username", "users", "you", "your", "yourname", "me", "myuser", "name", "someone", "somebody", "alice", "bob", "foo", "bar", "john", "jane", "jdoe", "johndoe", "example", "test", "tester", "dev", "developer",
    "runner", "app", "node", "ubuntu", "vscode", "jovyan", "git", "circleci", "travis", "vagrant", "pi", "ec2-user", "admin", "root", "shared", "public", "default", "codespace", "coder", "gitpod", "linuxbrew", "nonroot",
    "builder", "jenkins", "airflow", "postgres", "deploy", "docker",
];

pub fn judge(added: &Added, change: &Change) -> Option<Finding> {
    let severity = match kind_of(added.path()) {
        Kind::Code => Severity::Error,
        Kind::Configuration => Severity::Warning,
        Kind::Test
        | Kind::TestData
        | Kind::Example
        | Kind::Template
        | Kind::Generated
        | Kind::Vendored
        | Kind::Document
        | Kind::Lock
        | Kind::Other => return None,
    };
    let (at, path) = added.new_lines().find_map(|(at, line)| Some((at, own(line)?)))?;
    // A path that the file had already is no news.
    if added.before().contains(&path) {
        return None;
    }
    // Nor is one that its people write in other files as an example.
    let home = path.trim_end_matches(['/', '\\']);
    if change.repo(Side::Before).search(&[home], &[], KNOWN).len() >= KNOWN as usize {
        return None;
    }
    let finding = Finding::error("own-path", format!("`{path}` is a path of one machine, and stands on no other"))
        .at(added.path(), at as u32 + 1)
        .help("Make the path relative to the repository or to the file, or read it from the environment or the user's home.");
    Some(Finding { severity, ..finding })
}

/// The home of a person, or a sandbox, at the beginning of a path in quotes.
fn own(line: &str) -> Option<String> {
    // What is shown to a reader is an example.
    let text = line.trim_start();
    if text.starts_with(['#', '*']) || text.starts_with("//") || text.contains("e.g.") || text.contains("example") {
        return None;
    }
    for start in ["/Users/", "/home/", "C:\\Users\\", "C:\\\\Users\\\\"].into_iter() {
        for (at, _) in line.match_indices(start).take(20) {
            let is_begin = line[..at].ends_with(['"', '\'', '`', '=', ' ', ':', '(']);
            let rest = &line[at + start.len()..];
            let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect();
            let goes_on = rest[name.len()..].starts_with(['/', '\\']);
            let below = rest[name.len()..].trim_start_matches(['/', '\\']);
            let has_more = below.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.');
            let is_own = name.len() > 1 && !ANYBODY.contains(&name.to_ascii_lowercase().as_str());
            if is_begin && goes_on && has_more && is_own {
                return Some(format!("{start}{name}/"));
            }
        }
    }
    let quoted = |folder: &&&str| line.contains(&format!("\"{folder}")) || line.contains(&format!("'{folder}"));
    SANDBOXES.iter().find(quoted).map(|folder| (*folder).to_owned())
}

#[cfg(test)]
mod tests {
    use super::own;

    #[test]
    fn of_one_machine() {
        for (line, path) in [
            ("BIN=\"/Users/jemanuel/.local/bin/am\"", "/Users/jemanuel/"),
            ("x = '/home/kim/projects/a.py'", "/home/kim/"),
            ("open(\"/testbed/src/a.py\")", "/testbed/"),
            ("p = \"C:\\\\Users\\\\kim\\\\a\"", "C:\\\\Users\\\\kim/"),
        ] {
            assert_eq!(own(line).as_deref(), Some(path), "{line}");
        }
        for line in [
            "x = '/home/user/a'",
            "# /home/kim/a",
            "x = \"/home/\"",
            "https://example.org/home/kim/a",
            "x = '/home/runner/work/a'",
            "re.compile(r\"/Users/[^/]+/\")",
            "\"/home/${USER}/a\"",
            "route('/home/index')",
        ] {
            assert_eq!(own(line), None, "{line}");
        }
    }
}

//! Scripts of `package.json`, and lines of Makefiles and the like, that check something.

use crate::commands::from_line;
use configuration::{Format, settings};

/// Files of tasks whose lines are commands.
pub fn is_tasks(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "Makefile" | "makefile" | "justfile" | "Justfile" | "tox.ini" | "noxfile.py" | "Taskfile.yml" | "Rakefile"
    )
}

/// Lines that check something, each with its number.
pub fn lines(path: &str, text: &str) -> Vec<(String, u32)> {
    if path.ends_with("package.json") {
        let all = settings(text, Format::Json).unwrap_or_default();
        let scripts = all.into_iter().filter(|one| one.keys.len() == 2 && one.keys[0] == "scripts");
        return scripts.map(|one| (one.value, one.line)).filter(|(line, _)| from_line(line).is_some()).collect();
    }
    let lines =
        (1..).zip(text.lines()).map(|(number, line)| (line.trim().trim_start_matches(['@', '-']).to_owned(), number));
    lines.filter(|(line, _)| !line.starts_with('#') && from_line(line).is_some()).collect()
}

/// Scripts that checked something and only print now: their names, and where.
pub fn emptied(before: &str, after: &str) -> Vec<(String, u32)> {
    let read = |text: &str| {
        let all = settings(text, Format::Json).unwrap_or_default();
        all.into_iter().filter(|one| one.keys.len() == 2 && one.keys[0] == "scripts").collect::<Vec<_>>()
    };
    let old = read(before);
    let prints = |value: &str| {
        let value = value.trim();
        matches!(value, "" | "true" | ":" | "exit 0")
            || (value.starts_with("echo ") && !value.contains("&&") && !value.contains("exit 1"))
    };
    let checked = |keys: &[String]| {
        old.iter().any(|one| one.keys == keys && from_line(&one.value).is_some() && !prints(&one.value))
    };
    let new = read(after).into_iter().filter(|one| prints(&one.value) && checked(&one.keys));
    new.map(|one| (one.keys[1].clone(), one.line)).collect()
}

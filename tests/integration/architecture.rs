//! Promise 7, and the shape of the house: read from the sources, since no compiler says it.

use std::path::Path;

const STATIONS: [&str; 8] = ["provide", "repair", "extract", "sanitize", "apply", "guard", "settle", "observe"];

/// Lines of code of every file below `host/`, comments and what follows `#[cfg(test)]` left out.
fn sources() -> Vec<(String, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join("host")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push((name(root, &path), code(&path)));
            }
        }
    }
    assert!(found.len() > 50, "the sources were not found");
    found
}

fn name(root: &Path, path: &Path) -> String {
    path.strip_prefix(root.join("host")).expect("below host").display().to_string()
}

fn code(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a source file");
    let product = text.split("#[cfg(test)]").next().expect("a first part");
    product.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect()
}

/// `path: line` of every line that holds one of the words, in files that `concerns` picks.
fn lines_with(words: &[&str], concerns: impl Fn(&str) -> bool) -> Vec<String> {
    let files = sources().into_iter().filter(|(name, _)| concerns(name));
    let lines = files.flat_map(|(name, lines)| lines.into_iter().map(move |line| (name.clone(), line)));
    lines
        .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
        .map(|(name, line)| format!("{name}: {}", line.trim()))
        .collect()
}

#[test]
fn stations_do_not_import_one_another() {
    for station in STATIONS {
        let others: Vec<_> =
            STATIONS.iter().filter(|other| **other != station).map(|other| format!("crate::{other}")).collect();
        let others: Vec<_> = others.iter().map(String::as_str).collect();
        let room = format!("{station}/");
        assert_eq!(
            lines_with(&others, |name| name.starts_with(&room)),
            Vec::<String>::new(),
            "{station} knows another station"
        );
    }
}

#[test]
fn nothing_prints_outside_main_and_observe() {
    let words = ["println!", "eprint!", "print!(", "dbg!", "io::stdout", "io::stderr"];
    // The child that compiles a component answers on its standard output; it is a process of its own.
    let quiet = |name: &str| name != "main.rs" && !name.starts_with("observe/") && name != "guard/compile.rs";
    assert_eq!(lines_with(&words, quiet), Vec::<String>::new());
}

#[test]
fn the_library_reads_neither_the_environment_nor_the_current_directory() {
    let words = ["env::var", "env::vars", "current_dir()", "current_exe", "temp_dir()", "tempdir()", "option_env!"];
    assert_eq!(lines_with(&words, |name| name != "main.rs"), Vec::<String>::new());
}

#[test]
fn only_sanitize_vouches_for_a_patch() {
    let callers = lines_with(&["CleanPatch::vouched"], |name| !name.starts_with("sanitize/"));
    assert_eq!(callers, Vec::<String>::new());
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<_> = sources().into_iter().filter(|(_, lines)| lines.len() > 400).map(|(name, _)| name).collect();
    assert_eq!(long, Vec::<String>::new(), "would a stranger find the room they need?");
}

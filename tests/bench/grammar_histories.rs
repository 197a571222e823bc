//! False alarms of the grammars on the history of a repository: for every file that the newest commits change, whether the text before
//! parses and the text after does not.
//!
//! ```console
//! $ cargo run --release -p language-grammars --example grammar-histories -- COUNT REPOSITORY...
//! ```

use std::collections::BTreeMap;
use std::process::Command;

use language_grammars::{Language, Reader};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().expect("how many commits");
    for repository in arguments {
        let mut read: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        for commit in git(&repository, &["log", "--no-merges", "--format=%H", "-n", &count]).lines() {
            let changes =
                git(&repository, &["diff-tree", "-r", "--root", "--no-commit-id", "--diff-filter=AM", commit]);
            for change in changes.lines() {
                let (blobs, path) = change.split_once('\t').expect("a path");
                let blobs: Vec<&str> = blobs.split(' ').collect();
                let Some(language) = language_of(path) else { continue };
                let counts = read.entry(language.name()).or_default();
                counts[0] += 1;
                let after = blob(&repository, blobs[3]);
                let Some(problem) = problem(language, &after) else { continue };
                counts[1] += 1;
                let before = (blobs[4] == "M").then(|| blob(&repository, blobs[2]));
                let is_new = before.is_none_or(|before| self::problem(language, &before).is_none());
                counts[2] += usize::from(is_new);
                let mark = if is_new { "NEW" } else { "old" };
                println!("{mark} {repository} {} {} {path}:{problem}", &commit[..10], blobs[4]);
            }
        }
        for (language, [files, broken, new]) in read {
            println!(
                "== {repository} {language}: {files} changed files, {broken} do not parse, {new} did before or are new"
            );
        }
    }
}

fn problem(language: Language, text: &str) -> Option<String> {
    let problems = Reader::new(language, text)?.problems();
    problems.first().map(|first| format!("{} {} (certain: {})", first.line, first.message, first.is_certain))
}

fn language_of(path: &str) -> Option<Language> {
    language_grammars::claims::from_path(path)
}

fn blob(repository: &str, id: &str) -> String {
    git(repository, &["cat-file", "blob", id])
}

fn git(repository: &str, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(repository).args(arguments).output().expect("git runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

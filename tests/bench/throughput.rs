//! How many small patches a second one process judges with the default set: `cargo bench --bench throughput [-- CHECKS]`. Every tenth of
//! them, it prints the rate and the resident memory.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use guardhost_core::change::{NullObserver, Reply};
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::JudgeContext;
use guardhost_git::Repo;
use guardhost_pipeline::many::PatchJudge;
use guardhost_policy::PolicySource;

/// Unless the command line says another number.
const CHECKS: usize = 5_000;
const FILES: usize = 40;
const LINES: usize = 30;

/// A Python file, a document or a configuration, by turns.
fn file(number: usize) -> (String, Vec<String>) {
    let lines = 0..LINES;
    match number % 3 {
        0 => (
            format!("src/m{number}.py"),
            lines.map(|line| format!("def f{line}(x):\n    return x + {line}\n\n")).collect(),
        ),
        1 => (
            format!("docs/d{number}.md"),
            lines.map(|line| format!("## Part {line}\n\nSome words about it.\n\n")).collect(),
        ),
        _ => (format!("conf/c{number}.toml"), lines.map(|line| format!("key{line} = \"value {line}\"\n")).collect()),
    }
}

fn git(folder: &Path, args: &[&str]) {
    let ran = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(args)
        .current_dir(folder)
        .status();
    assert!(ran.expect("git is there").success(), "git {args:?}");
}

/// Each number is another change of one line.
fn patch(number: usize) -> String {
    let (path, parts) = file(number % FILES);
    let text = parts.concat();
    let lines: Vec<&str> = text.lines().collect();
    let word = ["return x", "Some words", "value"][number % FILES % 3];
    let fitting: Vec<usize> = (1..lines.len() - 1).filter(|at| lines[*at].contains(word)).collect();
    let at = fitting[number / FILES % fitting.len()];
    let (above, old, below) = (lines[at - 1], lines[at], lines[at + 1]);
    let new = old.replacen(
        word,
        &format!("{word}{}", if word == "return x" { format!(" + {number}") } else { format!(" {number}") }),
        1,
    );
    format!("--- a/{path}\n+++ b/{path}\n@@ -{at},3 +{at},3 @@\n {above}\n-{old}\n+{new}\n {below}\n")
}

/// Of this process, in MiB.
fn resident() -> usize {
    let pages =
        fs::read_to_string("/proc/self/statm").ok().and_then(|text| text.split(' ').nth(1)?.parse::<usize>().ok());
    (pages.unwrap_or(0) * rustix::param::page_size()) >> 20
}

fn main() {
    let checks = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(CHECKS);
    let folder = tempfile::tempdir().expect("a temporary folder");
    git(folder.path(), &["init", "-q"]);
    for (path, parts) in (0..FILES).map(file) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder");
        fs::write(path, parts.concat()).expect("a file");
    }
    git(folder.path(), &["add", "--all"]);
    git(folder.path(), &["commit", "-qm", "base"]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let process =
        ProcessEnv { cwd: folder.path().into(), temp: std::env::temp_dir(), threads, ..ProcessEnv::default() };
    let source = PolicySource {
        process: &process,
        embedded: &guards::EMBEDDED,
        config: None,
        offline: true,
        demands_lock: false,
        fresh: false,
        shared: None,
        remember: None,
    };
    let repo = Repo::open(folder.path()).expect("a repository");
    let head = repo.head().expect("a commit");
    let judges = PatchJudge::new(repo, head, &source).expect("the default rules");
    let (next, rejected) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= checks {
                        return;
                    }
                    let reply = Reply { bytes: patch(number).into_bytes(), ..Reply::default() };
                    let judged = judges.judge(&reply, &JudgeContext { task: None, observer: &NullObserver });
                    let judged = judged.expect("the repository is whole").expect("the patch fits");
                    rejected.fetch_add(usize::from(!judged.is_accepted()), Ordering::Relaxed);
                    if (number + 1) % (checks / 10).max(1) == 0 {
                        let seconds = begun.elapsed().as_secs_f64();
                        println!(
                            "{:>8} checks {:>8.0} a second {:>6} MiB",
                            number + 1,
                            (number + 1) as f64 / seconds,
                            resident()
                        );
                    }
                }
            });
        }
    });
    println!("{threads} threads, {} of {checks} rejected", rejected.into_inner());
}

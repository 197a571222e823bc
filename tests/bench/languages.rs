//! What the example guard costs in each language, as a Markdown table: `cargo bench --bench languages`, after the tests have built the
//! components (`cargo test languages`). The first call in a fresh process matters most, so that this program starts itself again and again,
//! and shows the least of its runs, which other programs disturb the least.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use guardhost_core::change::{Candidate, GuardVerdict, Judgement, NullObserver};
use guardhost_engine::{EngineContext, GuardSet, GuardSource, GuardSpec, JudgeContext, guard};

// Shared with the tests, which use more of it.
#[allow(dead_code)]
#[path = "../support"]
mod support {
    pub mod candidate;
    #[path = "../../host/patch/tests/support/objects.rs"]
    pub mod objects;
}

const LANGUAGES: [(&str, &str); 6] =
    [("c", "C"), ("rust", "Rust"), ("ts", "TypeScript"), ("js", "JavaScript"), ("go", "Go"), ("python", "Python")];
const RUNS: usize = 15;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--once") {
        return once(Path::new(&arguments[at + 1]), Path::new(&arguments[at + 2]));
    }
    let temp = tempfile::tempdir().expect("a temporary folder");
    let repo = repository(temp.path());
    println!(
        "| language | component | first run ever | load | 10 files | 50 files, 1.4 MB | memory of the process | `host check`, warm |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (language, name) in LANGUAGES {
        let wasm = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/languages/{language}-example.wasm"));
        let Ok(size) = std::fs::metadata(&wasm).map(|data| data.len()) else {
            println!("| {name} | not built here | | | | | | |");
            continue;
        };
        let cold = cold(&wasm);
        let cache = temp.path().join(language);
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for run in 0..=RUNS {
            let output = Command::new(std::env::current_exe().expect("a program knows where it is"))
                .arg("--once")
                .args([&wasm, &cache])
                .output()
                .expect("it starts again");
            // The first fills the cache.
            if run > 0 {
                let text = String::from_utf8(output.stdout).expect("it prints text");
                rows.push(text.split_whitespace().map(|word| word.parse().expect("a number")).collect());
            }
        }
        let column = |index: usize| least(rows.iter().map(|row| row[index]).collect());
        println!(
            "| {name} | {} | {} | {} | {} | {} | {:.0} MB | {} |",
            bytes(size),
            time(cold),
            time(micros(column(0))),
            time(micros(column(1))),
            time(micros(column(2))),
            column(3) / 1e3,
            time(whole_process(&repo, &wasm, temp.path()))
        );
    }
}

/// Load, call on ten files, call on fifty: microseconds; the largest resident memory in KB.
fn once(wasm: &Path, cache: &Path) {
    let (small, large) = (change(10, 60), change(50, 400));
    let set = set(wasm, Some(cache.to_path_buf()));
    let begun = Instant::now();
    judge(&set, &small);
    let whole = begun.elapsed();
    let call = (0..5).map(|_| judge(&set, &small).evidence[0].micros as f64).collect();
    let call = least(call);
    let large = judge(&set, &large).evidence[0].micros;
    println!("{} {call} {large} {}", (whole.as_micros() as f64 - call).max(0.0), peak());
}

/// The largest resident set of this process in KB: `VmHWM` of proc(5).
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// Nothing is compiled yet.
fn cold(wasm: &Path) -> Duration {
    let set = set(wasm, None);
    let change = change(10, 60);
    let begun = Instant::now();
    judge(&set, &change);
    begun.elapsed()
}

fn set(wasm: &Path, cache_dir: Option<PathBuf>) -> GuardSet {
    let bytes = std::fs::read(wasm).expect("the component").into();
    let source = GuardSource::Bytes { bytes, origin: wasm.display().to_string() };
    let machine = EngineContext {
        exe: env!("CARGO_BIN_EXE_host").into(),
        cache_dir,
        modules_dir: None,
        measured_dir: None,
        verdicts: None,
        threads: 1,
        services: Default::default(),
        embedded: &guards::EMBEDDED,
        stop: Default::default(),
    };
    GuardSet::new(vec![GuardSpec { source, ..GuardSpec::builtin("house-style") }], &machine).expect("a set")
}

fn judge(set: &GuardSet, change: &Candidate) -> Judgement {
    let judgement = guard(change, set, &JudgeContext { task: None, observer: &NullObserver });
    let verdict = &judgement.evidence[0].verdict;
    assert!(matches!(verdict, GuardVerdict::Pass(_)), "{verdict:?}");
    judgement
}

/// New files of lines of some seventy characters.
fn change(files: usize, lines: usize) -> Candidate {
    let content = |file: usize| -> Vec<u8> {
        (0..lines)
            .flat_map(|line| {
                format!("    value_{file}_{line} = compute(value_{file}_{line}, another_argument, {line})\n")
                    .into_bytes()
            })
            .collect()
    };
    let files: Vec<(String, Vec<u8>)> =
        (0..files).map(|file| (format!("src/module_{file:02}.py"), content(file))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    support::candidate::candidate(&[], &files)
}

/// One commit, and a staged change.
fn repository(folder: &Path) -> PathBuf {
    let repo = folder.join("repo");
    std::fs::create_dir(&repo).expect("a folder");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgSign=false"];
        let status = Command::new("git").current_dir(&repo).args(identity).args(arguments).status().expect("git");
        assert!(status.success(), "git {arguments:?}");
    };
    git(&["init", "-q"]);
    std::fs::write(repo.join("a.txt"), "one\n").expect("a file");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "base"]);
    std::fs::write(repo.join("a.txt"), "one\ntwo\n").expect("a file");
    git(&["add", "."]);
    repo
}

/// From the start of `host` to its end, its own cache warm.
fn whole_process(repo: &Path, wasm: &Path, home: &Path) -> Duration {
    let rules = home.join("rules.toml");
    let pin = format!("schema = 1\n[[guard]]\nid = \"house-style\"\nsource = \"path:{}\"\n", wasm.display());
    std::fs::write(&rules, pin).expect("a file");
    let run = || {
        let mut host = Command::new(env!("CARGO_BIN_EXE_host"));
        host.current_dir(repo).args(["check", "--staged", "--quiet", "--config"]).arg(&rules);
        host.env("XDG_CACHE_HOME", home).stdout(Stdio::null());
        let begun = Instant::now();
        assert!(host.status().expect("host").success());
        begun.elapsed()
    };
    run();
    micros(least((0..RUNS).map(|_| run().as_micros() as f64).collect()))
}

fn least(values: Vec<f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

fn micros(micros: f64) -> Duration {
    Duration::from_micros(micros as u64)
}

fn time(time: Duration) -> String {
    match time.as_micros() {
        micros @ 0..1_000 => format!("{micros} µs"),
        micros @ 1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        micros => format!("{:.1} s", micros as f64 / 1e6),
    }
}

fn bytes(size: u64) -> String {
    match size {
        0..1_000_000 => format!("{} KB", size / 1_000),
        _ => format!("{:.1} MB", size as f64 / 1e6),
    }
}

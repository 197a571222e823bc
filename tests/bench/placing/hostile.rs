//! Replies that are made to cost time and memory: a part of a reply, repeated until the size is reached, as it is and in an envelope.
//!
//! Each reply is read and placed by a process of its own, which tells its processor time and the most memory that it had.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::edit::Edit;
use super::host::Host;
use super::trial::{Trial, file};

/// What is repeated: the number of the repetition makes names and texts unlike.
type Part = fn(usize) -> String;

const PARTS: [(&str, Part); 75] = [
    ("sections of a diff", |n| format!("--- a/f{n}.txt\n+++ b/f{n}.txt\n@@ -1 +1 @@\n-a\n+b\n")),
    ("sections for one file", |_| "--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-a\n+b\n".into()),
    ("hunks that fit nowhere", |n| format!("@@ -{n},2 +{n},2 @@\n no line {n}\n-gone {n}\n+come {n}\n")),
    ("hunks that fit everywhere", |_| "@@\n same\n-same\n+other\n".into()),
    ("hunks with numbers", |n| format!("@@ -{n} +{n} @@\n-same\n+other {n}\n")),
    ("headers of hunks", |n| format!("@@ -{n},9 +{n},9 @@ fn f{n}()\n")),
    ("added lines", |n| format!("+line {n}\n")),
    ("removed lines", |n| format!("-line {n}\n")),
    ("lines of context", |_| " same\n".into()),
    ("git headers", |n| format!("diff --git a/f{n} b/f{n}\nindex 0..1\n")),
    ("renames", |n| format!("diff --git a/f{n} b/g{n}\nrename from f{n}\nrename to g{n}\n")),
    ("V4A updates", |n| format!("*** Update File: f{n}.txt\n@@\n-a\n+b\n")),
    ("V4A envelopes", |n| format!("*** Begin Patch\n*** Add File: f{n}.txt\n+b\n*** End Patch\n")),
    ("V4A anchors", |n| format!("@@ class C{n}\n@@ def f{n}\n-same\n+other\n")),
    ("SEARCH blocks", |n| format!("a.txt\n<<<<<<< SEARCH\nsame {n}\n=======\nother\n>>>>>>> REPLACE\n")),
    ("SEARCH blocks without a name", |n| {
        format!("<<<<<<< SEARCH\nline {n}\nsame\nline {n}\n=======\nother\n>>>>>>> REPLACE\n\n")
    }),
    ("SEARCH marks alone", |_| "<<<<<<< SEARCH\n".into()),
    ("dividers", |_| "=======\n".into()),
    ("fences that are not closed", |_| "````\n```diff\n--- a/f\n".into()),
    ("fences below names", |n| format!("f{n}.txt\n```\nx\n```\n\n")),
    ("long fences", |n| format!("{}\nx\n", "`".repeat(3 + n % 64))),
    ("calls", |n| {
        format!(
            "{{\"name\":\"Edit\",\"input\":{{\"file_path\":\"a.txt\",\"old_string\":\"s{n}\",\"new_string\":\"o\"}}}}\n"
        )
    }),
    ("calls that replace all", |_| {
        let new = "o".repeat(3000);
        format!(
            "{{\"name\":\"Edit\",\"input\":{{\"file_path\":\"a.txt\",\"old_string\":\"s\",\"new_string\":\"{new}\",\"replace_all\":true}}}}\n"
        )
    }),
    ("calls that are escaped twice", |n| {
        let old = format!("same\\\\nline {n}");
        format!(
            "{{\"name\":\"Edit\",\"input\":{{\"file_path\":\"a.txt\",\"old_string\":\"{old}\",\"new_string\":\"o\"}}}}\n"
        )
    }),
    ("calls that insert", |n| {
        format!(
            "{{\"command\":\"insert\",\"path\":\"a.txt\",\"insert_line\":{LINES},\"insert_text\":\"line {n}\\n\"}}\n"
        )
    }),
    ("sections with an absolute name", |n| {
        format!("--- /home/me/x/a.txt\n+++ /home/me/x/a.txt\n@@ -{n} +{n} @@\n-line {n}\n+o\n")
    }),
    ("here-documents that append", |n| format!("cat >> a.txt <<'EOF'\nline {n}\nEOF\n")),
    ("brackets of JSON", |_| "[{\"a\":".into()),
    ("strings of JSON that are not closed", |n| format!("{{\"path\": \"f{n}\n")),
    ("numbers of JSON", |n| format!("{{\"a\": {n}}}\n")),
    ("tags that are not closed", |n| format!("<file path=\"f{n}\">\n")),
    ("tags that are not known", |n| format!("<t{n}>a.txt</t{n}>\n")),
    ("thoughts", |_| "<think>\n</think>\n".into()),
    ("channels", |_| "<|channel|>analysis<|message|>\n".into()),
    ("quotation marks", |_| "> > > --- a/f.txt\n".into()),
    ("names of files", |n| format!("In `a.txt` and `f{n}.txt` change `same` to `other`.\n")),
    ("backticks", |_| "`a` -> `b` ".into()),
    ("commands", |n| format!("```bash\nsed -i s/same/other/ a.txt {n}\n```\n")),
    ("here-documents", |n| format!("cat > f{n}.txt <<'EOF'\nx\nEOF\n")),
    ("numbered lines", |n| format!("{n} | same\n")),
    ("entities", |_| "&lt;&amp;&#39;\\u003c\\_".into()),
    ("blanks", |_| " ".repeat(80)),
    ("marks of words", |_| "[-a {+b ".into()),
    ("sentences", |n| format!("Do it {n} times. Then drop it, and turn the wheel over again. ")),
    ("requests for code", |n| format!("Rename `a{n}` to `b{n}` here. Then drop `c{n}`.\n")),
    ("requests for the edited file", |n| format!("In `a.txt`, line {n} should become `line {}`.\n\n", n + 1)),
    ("near lines in sentences", |n| format!("It says `line {n}0x` there, and `line  {n}` here.\n")),
    ("near lines in fences", |n| format!("```text\nline {n} more\nlines {n}\n```\n\n")),
    ("near lines in one fence", |n| format!("line {n}0x\n")),
    ("old lines of hunks that are near", |n| format!("@@ -{n} +{n} @@\n-line {n}.\n+other {n}\n")),
    ("SEARCH blocks that are near", |n| {
        format!("a.txt\n<<<<<<< SEARCH\nline {n}\nsam\nline {}\n=======\nother\n>>>>>>> REPLACE\n\n", n + 2)
    }),
    ("rows of a table", |n| format!("| a.txt | {n} | `line {n}` | `other {n}` |\n")),
    ("items of a list", |n| format!("- `f{n}.txt`: adds `g{n}`\n")),
    ("tasks", |n| format!("- [{}] step {n}\n", if n % 2 == 0 { "x" } else { " " })),
    ("steps", |n| format!("{n}. Change `a.txt`:\n\n")),
    ("headings", |n| format!("## Option {n}: `a.txt`\n\n")),
    ("second thoughts", |_| "Wait, scratch that. No, it was right.\n".into()),
    ("sentences in Chinese", |n| format!("请把第{n}行改为新的值。不要应用上面的补丁。\n")),
    ("sentences in German", |n| format!("Bitte Zeile {n} noch nicht ersetzen, falls sie fehlt.\n")),
    ("quoted-printable lines", |n| format!("-line=20{n}=\n+other=3D{n}=\n")),
    ("lines of base64", |n| format!("{n:08}{}\n", "QUJDREVG".repeat(8))),
    ("one long line", |n| format!("line {n} ")),
    ("one long string of JSON", |n| format!("\\n\\\"line {n}\\\" ")),
    ("tags in tags", |n| format!("<a{n} path=\"f{n}.txt\">")),
    ("parameters of calls", |n| format!("<invoke name=\"Edit\"><parameter name=\"p{n}\">x</parameter>\n")),
    ("cells of a notebook", |n| format!("{{\"cell_type\":\"code\",\"source\":[\"line {n}\\n\"]}},\n")),
    ("edits in YAML", |n| format!("- file: a.txt\n  search: line {n}\n  replace: other\n")),
    ("hunks of a context diff", |n| format!("***************\n*** {n} ****\n! line {n}\n--- {n} ----\n! other\n")),
    ("normal diffs", |n| format!("{n}c{n}\n< line {n}\n---\n> other {n}\n")),
    ("events of a stream", |n| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"line {n}\"}}}}]}}\n\n")),
    ("turns", |n| format!("**User:** {n}\n\n**Assistant:** line {n}\n\n")),
    ("here-documents that are not closed", |n| format!("cat > f{n}.txt <<'E{n}'\nx\n")),
    ("marks of conflicts", |n| format!("<<<<<<< a\nline {n}\n||||||| b\nx\n=======\ny\n>>>>>>> c\n")),
    ("zero-width letters and carriage returns", |n| format!("\u{200b}-line\u{a0}{n}\r\n+x\r\n")),
    ("colours of a terminal", |_| "\u{1b}[31m-same\u{1b}[0m\n".into()),
];

/// A text around the parts.
type Wrap = fn(&str) -> String;

const WRAPS: [(&str, Wrap); 2] = [
    ("alone", |text| text.to_owned()),
    ("below a diff, in its fence", |text| {
        format!("```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n same\n-same\n+other\n{text}\n```\n")
    }),
];

/// Lines of the file that the replies are about: a long one, of equal and of unlike lines.
const LINES: usize = 100_000;

pub const SIZES: [usize; 2] = [2 << 20, 16 << 20];

/// A process that takes longer has failed.
const TOO_LONG: Duration = Duration::from_secs(300);

fn trial(part: Part, wrap: Wrap, size: usize) -> Trial {
    let mut text = String::with_capacity(size + 4096);
    for n in 0.. {
        text.push_str(&part(n));
        if text.len() >= size {
            break;
        }
    }
    let long: String = (0..LINES).map(|n| if n % 2 == 0 { "same\n".into() } else { format!("line {n}\n") }).collect();
    let mut trial = Trial::refused(&Edit::new("a.txt", long, ""), wrap(&text));
    trial.tree.insert("f.txt".to_owned(), file("a\n"));
    trial
}

/// The number of all replies of one size.
const COUNT: usize = PARTS.len() * WRAPS.len();

/// Reads the reply with this number, and tells the seconds, the memory and what came of it.
pub fn one(nth: usize, size: usize) {
    let trial = trial(PARTS[nth / WRAPS.len()].1, WRAPS[nth % WRAPS.len()].1, size);
    let host = Host::new();
    let (before, started) = (resident("VmRSS"), cpu_seconds());
    let outcome = host.place(&trial);
    let seconds = cpu_seconds() - started;
    let written = match &outcome {
        Ok(files) => {
            format!("{} bytes in {} files", files.values().map(|file| file.bytes.len()).sum::<usize>(), files.len())
        }
        Err(message) => message.lines().next().unwrap_or_default().chars().take(60).collect(),
    };
    println!("{seconds:.3}\t{}\t{}\t{written}", resident("VmHWM"), before);
}

/// Prints a table in Markdown of the slowest and the largest, and whether any was over its bounds: `second_per_mb` and `mib`.
pub fn measure(second_per_mb: f64, mib: u64) -> bool {
    let mut rows = Vec::new();
    for size in SIZES {
        for nth in 0..COUNT {
            let name = format!("{}, {}", PARTS[nth / WRAPS.len()].0, WRAPS[nth % WRAPS.len()].0);
            rows.push((name, size, told(nth, size)));
        }
    }
    let is_over = |size: usize, told: &Told| told.seconds > second_per_mb * (size >> 20) as f64 || told.kib >> 10 > mib;
    println!("| reply | MB | CPU s | CPU s a MB | most memory, MiB | what came of it |\n|---|---|---|---|---|---|");
    let mut by_cost: Vec<usize> = (0..rows.len()).collect();
    by_cost.sort_by(|a, b| rows[*b].2.seconds.total_cmp(&rows[*a].2.seconds));
    let mut by_memory = by_cost.clone();
    by_memory.sort_by_key(|nth| std::cmp::Reverse(rows[*nth].2.kib));
    let mut shown: Vec<usize> = by_cost.iter().take(8).chain(by_memory.iter().take(4)).copied().collect();
    shown.extend((0..rows.len()).filter(|nth| is_over(rows[*nth].1, &rows[*nth].2)));
    shown.dedup();
    for nth in shown {
        let (name, size, told) = &rows[nth];
        let mb = (size >> 20) as f64;
        println!(
            "| {name} | {mb} | {:.2} | {:.3} | {} | {} |",
            told.seconds,
            told.seconds / mb,
            told.kib >> 10,
            told.outcome
        );
    }
    let over = rows.iter().filter(|(_, size, told)| is_over(*size, told)).count();
    println!("\n{} replies, {over} over {second_per_mb} s a MB or {mib} MiB", rows.len());
    over == 0
}

struct Told {
    seconds: f64,
    kib: u64,
    outcome: String,
}

/// What the process for one reply told. One that ends in another way, or not in time, is over every bound.
fn told(nth: usize, size: usize) -> Told {
    let failed = |why: &str| Told { seconds: f64::INFINITY, kib: u64::MAX, outcome: why.to_owned() };
    let program = std::env::current_exe().expect("this program");
    let arguments = ["--hostile-one".to_owned(), nth.to_string(), size.to_string()];
    let mut child = Command::new(program).args(arguments).stdout(Stdio::piped()).spawn().expect("a process");
    let started = std::time::Instant::now();
    let status = loop {
        match child.try_wait().expect("the process") {
            Some(status) => break status,
            None if started.elapsed() > TOO_LONG => {
                let _ = child.kill();
                let _ = child.wait();
                return failed("not in time");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    let fields: Vec<&str> = text.trim_end().split('\t').collect();
    match fields.as_slice() {
        [seconds, kib, _, outcome] if status.success() => Told {
            seconds: seconds.parse().unwrap_or(f64::INFINITY),
            kib: kib.parse().unwrap_or(u64::MAX),
            outcome: (*outcome).to_owned(),
        },
        _ => failed("the process failed"),
    }
}

/// A field of this process' status, in KiB. Linux only.
fn resident(field: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find(|line| line.starts_with(field)).expect("the field");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

/// CPU time of this thread. Linux only.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanos: f64 = text.split(' ').next().and_then(|first| first.parse().ok()).expect("nanoseconds");
    nanos / 1e9
}

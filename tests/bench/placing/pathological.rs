//! How the time grows with inputs that are made to take long: each at n, 2n and 4n, and at 64n where that does not take too long.
//! Linear is a factor of two for each of the first steps.

use super::edit::Edit;
use super::host::Host;
use super::trial::{Trial, file};

/// A question of size `n`.
type Make = fn(usize) -> Trial;

const INPUTS: [(&str, &str, usize, Make); 22] = [
    ("identical lines, hunk of seven, number", "lines", 25_000, |n| identical(n, 3, Some(n / 2))),
    ("identical lines, hunk of seven, no number", "lines", 25_000, |n| identical(n, 3, None)),
    ("identical lines, hunk of a fifth of them, number", "lines", 12_500, |n| identical(n, n / 10, Some(n / 2))),
    ("identical lines, hunk of a fifth of them, no number", "lines", 12_500, |n| identical(n, n / 10, None)),
    ("identical lines, a context line misquoted", "lines", 12_500, |n| {
        let trial = identical(n, n / 10, Some(n / 2));
        with_reply(&trial, |text| text.replacen(" same\n", " sane\n", 1))
    }),
    ("hunks, all unlike", "hunks", 1_250, |n| hunks(n, |at| at, true)),
    ("hunks, all alike, true numbers", "hunks", 625, |n| hunks(n, |_| 0, true)),
    ("hunks, all alike, no numbers", "hunks", 625, |n| hunks(n, |_| 0, false)),
    ("V4A hunks, all alike", "hunks", 625, |n| {
        let trial = hunks(n, |_| 0, false);
        with_reply(&trial, |text| {
            let hunks = &text[text.find("@@").unwrap_or(0)..];
            format!("*** Begin Patch\n*** Update File: a.txt\n{hunks}*** End Patch\n")
        })
    }),
    ("SEARCH blocks, all unlike", "blocks", 400, |n| blocks(n, |at| at)),
    ("SEARCH blocks, all alike", "blocks", 400, |n| blocks(n, |_| 0)),
    ("file with one drifted hunk", "kB", 2_500, |n| {
        let lines: Vec<String> = (0..n * 25).map(|nth| format!("line {nth} of a file, with some text\n")).collect();
        let mut after = lines.clone();
        after[n * 12] = "another line\n".to_owned();
        let edit = Edit::new("a.txt", lines.concat(), after.concat());
        let diff = edit.unified_with(|hunk| format!("@@ -40,7 +40,7 @@\n{}", hunk.body()));
        Trial::right(&edit, diff)
    }),
    ("whole file of equal lines", "kB", 400, |n| {
        let text = "one line of a file, with some more text\n".repeat(n * 25);
        let edit = Edit::new("a.txt", text.clone(), format!("{text}end\n"));
        Trial::right(&edit, format!("a.txt\n```\n{}```\n", edit.after))
    }),
    ("blank lines around a diff", "kB", 256, |n| around(&"\n".repeat(n << 10))),
    ("spaces around a diff", "kB", 256, |n| around(&" ".repeat(n << 10))),
    ("line of prose around a diff", "kB", 256, |n| around(&"word ".repeat((n << 10) / 5))),
    ("diff sections, indented", "sections", 1_000, |n| {
        let one = |nth: usize| format!("    --- a/f{nth}.txt\n    +++ b/f{nth}.txt\n    @@ -1 +1 @@\n    -a\n    +b\n");
        over_small((0..n).map(one).collect::<String>())
    }),
    ("fences that begin like JSON", "fences", 1_000, |n| over_small("```\n{\"path\"\n```\n".repeat(n))),
    ("fences that are not closed", "fences", 1_000, |n| over_small("````\n```diff\n--- a/f\n".repeat(n))),
    ("quotation signs", "lines", 10_000, |n| over_small("> > > --- a/f.txt\n".repeat(n))),
    ("thoughts that are not closed", "tags", 10_000, |n| over_small("<think>\n```\n".repeat(n))),
    ("copies of a file of 1 MB", "copies", 8, |n| {
        let one = |nth: usize| {
            format!("diff --git a/a.txt b/c{nth}.txt\nsimilarity index 100%\ncopy from a.txt\ncopy to c{nth}.txt\n")
        };
        let edit = Edit::new("a.txt", "a line of sixteen\n".repeat(1 << 16), "");
        Trial::refused(&edit, (0..n).map(one).collect::<String>())
    }),
];

/// Seconds. A size that would take longer, as the sizes before it grew, is not measured.
const TOO_LONG: f64 = 30.0;

/// Prints a table in Markdown, of the inputs whose names contain `kind`.
pub fn measure(kind: Option<&str>) {
    println!(
        "| input | n | CPU s at n | 2n | 4n | 64n | growth | what came of it |\n|---|---|---|---|---|---|---|---|"
    );
    for (name, unit, n, make) in INPUTS.into_iter().filter(|(name, ..)| kind.is_none_or(|kind| name.contains(kind))) {
        let mut seconds: Vec<f64> = Vec::new();
        let mut outcome = String::new();
        for (steps, times) in [(0, 1), (1, 2), (1, 4), (4, 64)] {
            let growth = seconds.windows(2).last().map_or(1.0, |pair| pair[1] / pair[0].max(0.001));
            if seconds.last().is_some_and(|last| last * f64::powi(growth.max(1.0), steps) > TOO_LONG) {
                break;
            }
            let trial = make(n * times);
            let host = Host::new();
            let started = cpu_seconds();
            let placed = host.place(&trial);
            seconds.push(cpu_seconds() - started);
            outcome = match placed {
                Ok(_) => "placed".to_owned(),
                Err(message) => message.lines().next().unwrap_or_default().chars().take(80).collect(),
            };
        }
        let at = |nth: usize| seconds.get(nth).map_or("too long".to_owned(), |seconds| format!("{seconds:.2}"));
        let steps = seconds.windows(2).take(2);
        let growth: Vec<String> = steps.map(|pair| format!("× {:.1}", pair[1] / pair[0].max(0.001))).collect();
        let [first, second, third, last] = [0, 1, 2, 3].map(at);
        println!("| {name} | {n} {unit} | {first} | {second} | {third} | {last} | {} | {outcome} |", growth.join(", "));
    }
}

/// CPU time of this thread. Linux only.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanos: f64 = text.split(' ').next().and_then(|first| first.parse().ok()).expect("nanoseconds");
    nanos / 1e9
}

fn with_reply(trial: &Trial, change: impl Fn(&str) -> String) -> Trial {
    Trial { reply: change(&String::from_utf8_lossy(&trial.reply)).into_bytes(), ..trial.clone() }
}

/// One line of `n` identical ones changed, below and above `context` others.
fn identical(n: usize, context: usize, number: Option<usize>) -> Trial {
    let edit = Edit::new("a.txt", "same\n".repeat(n), "");
    let header = number.map_or("@@".to_owned(), |at| {
        let count = 2 * context + 1;
        format!("@@ -{at},{count} +{at},{count} @@")
    });
    let lines = " same\n".repeat(context);
    Trial::refused(&edit, format!("{}{header}\n{lines}-same\n+other\n{lines}", edit.names()))
}

/// Blocks of eight lines, whose names `name` gives, with a hunk for each.
fn hunks(n: usize, name: fn(usize) -> usize, has_numbers: bool) -> Trial {
    let lines = |nth: usize, value: &str| {
        let name = name(nth);
        format!("fn f{name}() {{\n    one\n    two\n    {value} {name}\n    four\n    five\n}}\n\n")
    };
    let before: String = (0..n).map(|nth| lines(nth, "three")).collect();
    let after: String = (0..n).map(|nth| lines(nth, "drei")).collect();
    let edit = Edit::new("a.txt", before, after);
    let diff = edit.unified_with(|hunk| if has_numbers { hunk.text() } else { format!("@@\n{}", hunk.body()) });
    Trial::right(&edit, diff)
}

fn blocks(n: usize, name: fn(usize) -> usize) -> Trial {
    let trial = hunks(n, name, true);
    let one = |nth: usize| {
        let name = name(nth);
        let half = |value: &str| format!("    two\n    {value} {name}\n    four\n");
        format!("a.txt\n```\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n```\n\n", half("three"), half("drei"))
    };
    Trial { reply: (0..n).map(one).collect::<String>().into_bytes(), ..trial }
}

/// A small diff with `text` above and below.
fn around(text: &str) -> Trial {
    let edit = Edit::new("a.txt", "one\ntwo\nthree\n", "one\nzwei\nthree\n");
    Trial::right(&edit, format!("{text}\n{}\n{text}", edit.unified(3)))
}

/// A reply over a tree with one small file.
fn over_small(reply: String) -> Trial {
    let mut trial = Trial::refused(&Edit::new("a.txt", "a\n", ""), reply);
    trial.tree.insert("f.txt".to_owned(), file("a\n"));
    trial
}

//! What a judgement costs, split: `cargo bench --bench check`. No criterion: what matters is the first call in a fresh process,
//! so that this program starts itself again and again, and shows medians.

use std::process::Command;
use std::time::{Duration, Instant};

use guardhost_core::change::{Candidate, NullObserver};
use guardhost_engine::{EngineContext, GuardSet, JudgeContext, default_set, guard};

// Shared with the tests, which use more of it.
#[allow(dead_code)]
#[path = "../support"]
mod support {
    pub mod candidate;
    #[path = "../../host/patch/tests/support/objects.rs"]
    pub mod objects;
}

/// Ten files, half of them documents, of some hundred lines.
fn change() -> Candidate {
    let python = |tail: &str| {
        format!("{}\n{tail}", "def f(x):\n    return [y for y in x if y > 1]\n\n\n".repeat(60)).into_bytes()
    };
    let document = |tail: &str| {
        format!("{}\n{tail}", "# A title\n\nSome words, and `code`.\n\n```sh\nrun it\n```\n\n".repeat(30)).into_bytes()
    };
    let names: Vec<String> = (0..5).flat_map(|n| [format!("src/m{n}.py"), format!("docs/d{n}.md")]).collect();
    let content = |name: &String, tail: &str| if name.ends_with("py") { python(tail) } else { document(tail) };
    let side = |tail: &str| names.iter().map(|name| (name.clone(), content(name, tail))).collect::<Vec<_>>();
    let (before, after) = (side("x = 1\n"), side("x = 2\n"));
    let borrowed = |side: &'static [(String, Vec<u8>)]| {
        side.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect::<Vec<_>>()
    };
    support::candidate::candidate(&borrowed(before.leak()), &borrowed(after.leak()))
}

fn main() {
    let machine = EngineContext {
        exe: "host".into(),
        cache_dir: None,
        modules_dir: None,
        measured_dir: None,
        verdicts: None,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        services: Default::default(),
        embedded: &guards::EMBEDDED,
        stop: Default::default(),
    };
    let change = change();
    let judge = |set: &GuardSet| guard(&change, set, &JudgeContext { task: None, observer: &NullObserver });
    if std::env::args().any(|argument| argument == "--once") {
        once(&machine, judge);
        return;
    }

    let exe = std::env::current_exe().expect("a program knows where it is");
    let mut rows: Vec<(String, Vec<Duration>)> = Vec::new();
    for _ in 0..21 {
        let begun = Instant::now();
        let output = Command::new(&exe).arg("--once").output().expect("it starts again");
        let whole = begun.elapsed();
        let text = String::from_utf8(output.stdout).expect("it prints text");
        let parts = text
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(name, nanos)| (name.to_string(), Duration::from_nanos(nanos.parse().expect("a number"))));
        for (index, (name, time)) in parts.chain([("whole process".to_string(), whole)]).enumerate() {
            if rows.len() <= index {
                rows.push((name, Vec::new()));
            }
            rows[index].1.push(time);
        }
    }
    for (name, mut times) in rows {
        times.sort();
        println!("{name:<48} {:>9.1?} (least {:.1?})", times[times.len() / 2], times[0]);
    }
}

fn once(machine: &EngineContext, judge: impl Fn(&GuardSet) -> guardhost_core::change::Judgement) {
    let say = |name: &str, time: Duration| println!("{name}\t{}", time.as_nanos());
    let begun = Instant::now();
    let set =
        GuardSet::new(default_set(&guards::EMBEDDED, &[]).expect("the default set"), machine).expect("the default set");
    say("make the set", begun.elapsed());
    let begun = Instant::now();
    let judgement = judge(&set);
    say("first judgement, all guards", begun.elapsed());
    for evidence in &judgement.evidence {
        say(
            &format!("  {} ({}), load and call", evidence.id, evidence.verdict.as_str()),
            Duration::from_micros(evidence.micros),
        );
    }
    let begun = Instant::now();
    let judgement = judge(&set);
    say("second judgement, all guards", begun.elapsed());
    for evidence in &judgement.evidence {
        say(&format!("  {} ({} fuel), call", evidence.id, evidence.fuel), Duration::from_micros(evidence.micros));
    }
}

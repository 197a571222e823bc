//! The checks of a certificate, one function each.

use semver::Version;
use serde_json::{Value, json};

use super::CertifiedOutput;
use super::scaling::Scaling;
use guardhost_core::change::{Evidence, Finding, GuardVerdict};
use guardhost_engine::{GuardOutput, NO_SUCH_LINE, SingleGuard, is_kebab};
use guardhost_report::{CertificateCheck, CheckOutcome, Growth};

const EXAMPLES: usize = 5;

/// Fuel as a power of the input's size: from the first on, the check warns; from the second on, it fails. Sorting has about 1.1, a
/// quadratic algorithm 2.
const STEEP: f64 = 1.25;
const TOO_STEEP: f64 = 1.5;

/// The same for the number of files. Garbage collectors begin at some size, which looks steep from one size to the next: Go has 1.7.
const TOO_STEEP_IN_FILES: f64 = 1.85;

/// A warning in bytes. Loading 10 MB takes a quarter of a millisecond when cached, and 5 s when not.
const LARGE: usize = 20 << 20;

/// Error codes of a guard that exceeds a limit.
const LIMITS: [&str; 5] = ["out-of-fuel", "out-of-memory", "stack-overflow", "host-limit", "output-limit"];

/// `outcome` if there is an example of a failure, a pass otherwise.
pub fn outcome_of(
    name: &'static str,
    outcome: CheckOutcome,
    good: String,
    bad: &str,
    examples: Vec<String>,
) -> CertificateCheck {
    if examples.is_empty() {
        return CertificateCheck { name, outcome: CheckOutcome::Pass, detail: good, examples };
    }
    let (all, mut examples) = (examples.len(), examples);
    examples.truncate(EXAMPLES);
    let detail = if all > 1 { format!("{bad} ({all} times)") } else { bad.to_owned() };
    CertificateCheck { name, outcome, detail, examples }
}

/// The description is valid, and a second instance gives the same.
pub fn described(guard: &SingleGuard, settings: &Value) -> CertificateCheck {
    let description = guard.description();
    let mut wrong = Vec::new();
    match guard.describe() {
        Ok(again) if again == *description => {}
        Ok(_) => wrong.push("another instance describes itself otherwise".to_owned()),
        Err(failure) => wrong.push(format!("another instance does not describe itself: {failure}")),
    }
    if let Err(error) = Version::parse(&description.version) {
        wrong.push(format!("the version `{}` is none: {error}", description.version));
    }
    if description.promise.trim().is_empty() {
        wrong.push("it promises nothing".to_owned());
    }
    let event = &description.event;
    if !event.is_empty() && !event.split(['.', '_']).all(|part| is_kebab(part, 64)) {
        wrong.push(format!("the event `{event}` is not words joined by `.` and `_`"));
    }
    match serde_json::from_str::<Value>(&description.settings_schema) {
        Ok(Value::Object(_) | Value::Bool(_)) => {
            let settings = if settings.is_null() { &json!({}) } else { settings };
            if let Err(why) = guard.accepts(settings) {
                wrong.push(format!("its schema refuses the settings that it is certified with: {why}"));
            }
        }
        Ok(_) => wrong.push("its settings schema is neither an object nor a boolean".to_owned()),
        Err(error) => wrong.push(format!("its settings schema is no JSON: {error}")),
    }
    let good = format!("it calls itself {} {}, every time", description.id, description.version);
    outcome_of("description", CheckOutcome::Fail, good, "its description is not sound", wrong)
}

/// The guard declares every right that it imports, with a reason.
pub fn rights(guard: &SingleGuard) -> CertificateCheck {
    let needs = &guard.description().needs;
    let silent = guard.rights().filter(|right| !needs.iter().any(|need| need.name == *right));
    let mut wrong: Vec<String> =
        silent.map(|right| format!("it imports `{right}`, and its description does not say so")).collect();
    let reasonless = needs.iter().filter(|need| need.why.trim().is_empty());
    wrong.extend(reasonless.map(|need| format!("it needs `{}`, and does not say why", need.name)));
    if wrong.is_empty() {
        let unused = needs.iter().filter(|need| !guard.rights().any(|right| right == need.name));
        let unused: Vec<_> = unused.map(|need| format!("it declares `{}` and does not import it", need.name)).collect();
        let rights: Vec<_> = guard.rights().collect();
        let good = if rights.is_empty() {
            "none are needed".to_owned()
        } else {
            format!("as declared: {}", rights.join(", "))
        };
        return outcome_of("rights", CheckOutcome::Warn, good, "it asks for rights that it cannot use", unused);
    }
    outcome_of("rights", CheckOutcome::Fail, String::new(), "it imports what it does not declare", wrong)
}

/// At least one input concerned the guard: a guard that was never called has proved nothing.
pub fn called(shown: &[CertifiedOutput], paths: &[String]) -> CertificateCheck {
    let called = shown.iter().filter(|shown| shown.first.evidence.fuel > 0).count();
    let never = if called > 0 { None } else { Some(format!("none of these paths concerned it: {}", paths.join(", "))) };
    let good = format!("{called} of {} that it was shown concerned it", shown.len());
    outcome_of(
        "called",
        CheckOutcome::Fail,
        good,
        "it was never called; name paths with --path",
        never.into_iter().collect(),
    )
}

/// The second run, on a perturbed host, gave the same verdicts, fuel, log and memory.
pub fn deterministic(shown: &[CertifiedOutput]) -> CertificateCheck {
    let mut wrong = Vec::new();
    for CertifiedOutput { name, first, again } in shown {
        let (one, two) = (&first.evidence, &again.evidence);
        let what = if one.verdict != two.verdict {
            format!("{} first, then {}", one.verdict.as_str(), two.verdict.as_str())
        } else if one.fuel != two.fuel {
            format!("fuel {} first, then {}", one.fuel, two.fuel)
        } else if one.log != two.log || one.metrics != two.metrics || first.memory != again.memory {
            "another log, other figures, or other memory".to_owned()
        } else {
            continue;
        };
        wrong.push(format!("{name}: {what}"));
    }
    let good = format!("{} times twice, in another order and several at a time: the same to the byte", shown.len());
    outcome_of("deterministic", CheckOutcome::Fail, good, "the same is judged differently", wrong)
}

/// Changes with their files in the other order, as indices into what was shown, and what the guard said.
pub type Reversed = [(usize, GuardOutput)];

/// The findings do not depend on the order of the files. Only a warning: the contract sorts files, so no host uses another order. Where
/// the guard failed there are no findings to compare; see [`unbroken`].
pub fn unordered(shown: &[CertifiedOutput], reversed: &Reversed) -> CertificateCheck {
    let sorted = |verdict: &GuardVerdict| {
        let mut findings: Vec<String> =
            verdict.findings().iter().map(|finding: &Finding| format!("{finding:?}")).collect();
        findings.sort();
        (verdict.as_str(), findings)
    };
    let is_error = |verdict: &GuardVerdict| matches!(verdict, GuardVerdict::Error { .. });
    let verdicts =
        reversed.iter().map(|(at, output)| (*at, &shown[*at].first.evidence.verdict, &output.evidence.verdict));
    let answered = verdicts.filter(|(_, one, two)| !is_error(one) && !is_error(two));
    let differ = answered.filter(|(_, one, two)| sorted(one) != sorted(two));
    let wrong = differ.map(|(at, ..)| shown[at].name.clone()).collect();
    let good = format!("{} changes with their files in the other order: the same findings", reversed.len());
    outcome_of("order-of-files", CheckOutcome::Warn, good, "what it finds depends on the order of files", wrong)
}

/// The guard answers every input without an error, limits aside.
pub fn unbroken(shown: &[CertifiedOutput], reversed: &Reversed) -> CertificateCheck {
    let wrong = errors(shown, reversed, |code| !LIMITS.contains(&code));
    outcome_of(
        "answers",
        CheckOutcome::Fail,
        "it answered every time".to_owned(),
        "it breaks instead of answering",
        wrong,
    )
}

pub fn within_limits(shown: &[CertifiedOutput], reversed: &Reversed) -> CertificateCheck {
    let wrong = errors(shown, reversed, |code| LIMITS.contains(&code));
    outcome_of("limits", CheckOutcome::Fail, "it never met a limit".to_owned(), "it takes more than its limits", wrong)
}

/// Whether the guard met one of its limits.
pub fn is_limit(verdict: &GuardVerdict) -> bool {
    matches!(verdict, GuardVerdict::Error { code, .. } if LIMITS.contains(code))
}

/// Errors of every call: of both runs, and of the changes with their files in the other order. An input that failed twice is one.
fn errors(shown: &[CertifiedOutput], reversed: &Reversed, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let error = |name: &str, output: &GuardOutput| match &output.evidence.verdict {
        GuardVerdict::Error { code, message, .. } if wanted(code) => {
            let log = output.evidence.last_words().last();
            let log = log.map_or_else(String::new, |line| format!("; log ({}): {}", line.level, line.text));
            Some(format!("{name}: {code}: {}{log}", message.lines().next().unwrap_or_default()))
        }
        _ => None,
    };
    let twice = shown.iter().filter_map(|CertifiedOutput { name, first, again }| {
        error(name, first).or_else(|| error(&format!("{name}, the second time"), again))
    });
    let reversed = reversed
        .iter()
        .filter_map(|(at, output)| error(&format!("{}, files in the other order", shown[*at].name), output));
    twice.chain(reversed).collect()
}

/// Findings lie inside the files that they name: the host logs those that do not.
pub fn pointing(shown: &[CertifiedOutput]) -> CertificateCheck {
    let evidence = || shown.iter().map(|CertifiedOutput { name, first, .. }| (name, &first.evidence));
    let outside = |(name, evidence): (&String, &Evidence)| {
        let places = evidence.log.iter().filter_map(|line| line.text.strip_prefix(NO_SUCH_LINE));
        places.map(|place| format!("{name}: {place}")).collect::<Vec<_>>()
    };
    let looked_at: usize = evidence().map(|(_, evidence)| evidence.verdict.findings().len()).sum();
    let good = format!("{looked_at} findings lie inside their files");
    outcome_of(
        "findings",
        CheckOutcome::Fail,
        good,
        "its findings point outside of files",
        evidence().flat_map(outside).collect(),
    )
}

/// Fuel grows about linearly with the size of the input, and with the number of files.
pub fn growing(growth: &Scaling) -> CertificateCheck {
    let Scaling { by_size, by_files } = growth;
    let steep = |by_size_from: f64, by_files_from: f64| {
        let from = by_size.iter().map(|growth| (growth, by_size_from));
        let from = from.chain(by_files.iter().map(|growth| (growth, by_files_from)));
        let steep = from.filter_map(|(growth, least)| Some((growth, growth.exponent.filter(|power| *power >= least)?)));
        let lines = steep
            .map(|(Growth { shape, path, .. }, power)| format!("{shape} in {path}: size to the power of {power:.2}"));
        lines.collect::<Vec<_>>()
    };
    let most = by_size.iter().chain(by_files).filter_map(|growth| growth.exponent).fold(f64::NAN, f64::max);
    let good = if most.is_nan() {
        "too little to tell".to_owned()
    } else {
        format!("at most as size to the power of {most:.2}")
    };
    let too_steep = steep(TOO_STEEP, TOO_STEEP_IN_FILES);
    let outcome = if too_steep.is_empty() { CheckOutcome::Warn } else { CheckOutcome::Fail };
    let examples = if too_steep.is_empty() { steep(STEEP, TOO_STEEP) } else { too_steep };
    outcome_of("growth", outcome, good, "fuel grows faster than the input (superlinear)", examples)
}

pub fn sized(size: usize) -> CertificateCheck {
    let large = (size > LARGE).then(|| format!("{size} bytes"));
    let good = format!("{size} bytes");
    outcome_of(
        "size",
        CheckOutcome::Warn,
        good,
        "it is large: slow to fetch and to compile",
        large.into_iter().collect(),
    )
}

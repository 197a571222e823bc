//! G24: the tests that come with a fix fail without it.

mod candidate;
mod fresh;
mod intent;
mod missing;
mod parts;
mod proof;
mod reached;
mod rules;
mod say;
mod splice;

use guard_sdk::{About, Capability, Change, Denied, Guard, Need, Selection, Side, Stage, Verdict, guard, log};
use serde::Deserialize;

use intent::Intent;
use parts::Parts;
use proof::{Proof, Proofs};

/// What becomes of a change none of whose tests was red without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strictness {
    Reject,
    Warn,
    Ignore,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    fix: Strictness,
    feature: Strictness,
    upkeep: Strictness,
    unclear: Strictness,
    runs: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            fix: Strictness::Reject,
            feature: Strictness::Warn,
            upkeep: Strictness::Ignore,
            unclear: Strictness::Warn,
            runs: 2,
        }
    }
}

impl Settings {
    fn strictness(&self, intent: Intent) -> Strictness {
        match intent {
            Intent::Fix => self.fix,
            Intent::Feature => self.feature,
            Intent::Upkeep => self.upkeep,
            Intent::Unclear => self.unclear,
        }
    }
}

pub struct RedFirst;

impl Guard for RedFirst {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G24",
        promise: "The tests that come with a fix fail without it, so that they show that it fixes something.",
        stages: &[Stage::Command],
        needs: &[Need::new(
            Capability::Toolchain,
            "to run the tests that the change brings on the base's code and on the candidate's, in a sandbox",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_red_first.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let strictness = settings.strictness(Intent::from_change(change));
        if strictness == Strictness::Ignore {
            return Ok(Verdict::not_applicable("the settings ask nothing of the tests of such a change"));
        }
        let parts = Parts::new(change);
        if let Some(why) = parts.nothing_to_prove() {
            return Ok(Verdict::not_applicable(why));
        }
        let tools = change.toolchain();
        let base = tools.tests(Side::Before).map_err(|why| unanswered("the base", why))?;
        let after = candidate::tests(change, &parts, &base).map_err(|why| unanswered("the candidate", why))?;
        let fresh = fresh::tests(change, &parts, &base, &after);
        let selection = Selection { paths: fresh::paths(&fresh), until_failure: false, seconds: 0 };
        let mut proofs = Proofs::new(&parts.added_names, &fresh);
        if !fresh.is_empty() {
            run_on_base(change, &parts, &mut proofs, &selection, settings.runs)?;
        }
        let whole = match reached::are_asked(&proofs) {
            true => tools.tests(Side::After).map_err(|why| unanswered("the candidate", why))?,
            false => Vec::new(),
        };
        let reached = reached::tests(&base, &whole, &fresh);
        if !reached.is_empty() {
            let mut of_reached = Proofs::new(&parts.added_names, &reached);
            let all = Selection { paths: Vec::new(), ..selection };
            run_on_base(change, &parts, &mut of_reached, &all, settings.runs)?;
            proofs.take_red(of_reached);
        }
        if proofs.tests.is_empty() {
            let untold = say::untold(&parts, &after);
            if untold.is_empty() {
                return Ok(Verdict::not_applicable(say::nothing_told(&after)));
            }
            log::metric(Proof::NOT_KNOWN, untold.len() as f64);
            return Ok(Verdict::from_findings(untold));
        }
        for proof in Proof::KINDS {
            log::metric(proof, proofs.count(proof) as f64);
        }
        Ok(Verdict::from_findings(say::findings(&proofs, strictness)))
    }
}

guard!(RedFirst);

/// The tests of the change on the base's code, as often as the settings say.
fn run_on_base(
    change: &Change,
    parts: &Parts,
    proofs: &mut Proofs,
    selection: &Selection,
    runs: u32,
) -> Result<(), String> {
    for _ in 0..runs.max(1) {
        match change.toolchain().tests_with(Side::Before, &parts.replaced, selection) {
            Ok(reports) => proofs.see(&reports),
            Err(why @ Denied::TimedOut(_)) => proofs.unknown(&unanswered("the base's code", why)),
            Err(why) => return Err(unanswered("the base's code under the new tests", why)),
        }
        if !proofs.decides() {
            break;
        }
    }
    Ok(())
}

fn unanswered(side: &str, why: Denied) -> String {
    format!("the tests of {side} have no result: {}", why.reason())
}

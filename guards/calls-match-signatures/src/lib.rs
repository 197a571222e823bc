//! G19: calls still fit when a signature changes, and new calls fit what they call.

mod files;
mod judge;
mod outline;
mod rules;
mod signature;
mod wrong;

use guard_sdk::{About, Capability, Change, Guard, Need, NoSettings, Stage, Verdict, guard};

use judge::Judge;

pub struct CallsMatchSignatures;

impl Guard for CallsMatchSignatures {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G19",
        promise: "When a signature changes, the calls that certainly mean it still fit, and so do new calls.",
        stages: &[Stage::Content],
        globs: guard_sdk::files::CODE,
        needs: &[
            Need::new(
                Capability::Repo,
                "to find the files that imports mean, and to look for calls in the whole candidate",
            ),
            Need::new(Capability::Modules, "to ask what the files define and call"),
            Need::new(Capability::Facts, "to tell packages of the repository from those of others"),
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_calls_match_signatures.fail",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        let judge = Judge::new(change);
        if judge.touched.is_empty() {
            return Ok(Verdict::not_applicable("no file is added or changed in a language whose calls are known"));
        }
        let findings = judge.findings();
        match change.withheld() {
            Some(path) => Err(format!("it needs the whole tree, and the pin does not grant {path}")),
            None => Ok(Verdict::from_findings(findings)),
        }
    }
}

guard!(CallsMatchSignatures);

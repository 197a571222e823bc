//! GB: no compile error that the base did not have.

mod rules;

use guard_sdk::{About, Capability, Change, Guard, Need, NoSettings, Stage, Verdict, guard};
use new_errors::{Wording, compare};

pub struct Builds;

impl Guard for Builds {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "GB",
        promise: "No compile error that the base did not have, in any language of the change that has a build.",
        stages: &[Stage::Command],
        needs: &[Need::new(Capability::Toolchain, "to build the base and the candidate, in a sandbox")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_build.fail",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        compare(change, &WORDS, |side| change.toolchain().build(side))
    }
}

guard!(Builds);

const WORDS: Wording = Wording {
    run: "build",
    names_tool: false,
    new: (
        "new-error",
        "The base builds without this error: fix the code that the change brings in, or what it left behind.",
    ),
    fails: ("build-fails", "Fix what the tool complains of."),
    gone: "build-gone",
    none: "no language of the change has a build that the host knows",
};

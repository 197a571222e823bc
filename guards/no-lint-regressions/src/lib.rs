//! No objection of the repository's own linters and type checkers that the base did not have.

mod rules;

use guard_sdk::{About, Capability, Change, Guard, Need, NoSettings, Stage, Verdict, guard};
use new_errors::{Wording, compare};

pub struct NoLintRegressions;

impl Guard for NoLintRegressions {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "The repository's own linters and type checkers object to nothing that they did not object to before.",
        stages: &[Stage::Command],
        needs: &[Need::new(Capability::Toolchain, "to run the linters on the base and the candidate, in a sandbox")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "no_lint_regressions.fail",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        compare(change, &WORDS, |side| change.toolchain().linters(side))
    }
}

guard!(NoLintRegressions);

const WORDS: Wording = Wording {
    run: "check",
    names_tool: true,
    new: ("new-objection", "Fix the code: the linter is configured as on the base."),
    fails: ("linter-fails", "Fix what the linter complains of."),
    gone: "linter-gone",
    none: "the base configures no linter that the host finds and that the change concerns",
};

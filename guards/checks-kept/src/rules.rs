//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("limit-loosened", "a limit of a linter rises, or a floor such as the least coverage falls or goes away; in a configuration or in the options of a command: `--max-warnings`, `--cov-fail-under`"),
    Rule::new("rule-switched-off", "a rule of a linter is switched off, added to what is ignored, or taken from what is selected; or a command is given `--ignore`, `--disable` or `-A`"),
    Rule::new("strictness-lowered", "a switch that makes a checker strict is turned off, or one that makes it lax is turned on; or a command loses `--strict`, `-D warnings` and the like"),
    Rule::new("files-excluded", "a checker is told to leave files out that the change touches. A warning for other files of the repository's own code, where no model is known to have made the change"),
    Rule::new("check-silenced", "a command that checks something may fail now: by `--exit-zero`, `continue-on-error: true`, a shell that goes on all the same, or a script that only prints"),
    Rule::new("check-removed", "the last command that tests, lints or type-checks goes from the workflows, or a hook goes and none comes"),
    Rule::new("review-evaded", "`.gitattributes` hides code that people write from whoever reads changes, or `CODEOWNERS` has nobody any more for what had an owner (a warning where no model is known to have made the change)"),
    Rule::new("status-lost", "a command that checks something stands in front of a pipe now, such as `tee`, and the shell asks only the last command whether it failed"),
    Rule::new("not-judged", "info: a file was not judged, because it does not parse"),
];

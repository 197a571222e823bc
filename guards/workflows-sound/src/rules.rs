//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("job-missing", "`needs:` names a job that the workflow does not have"),
    Rule::new("reference-missing", "an expression reads `needs.x`, `steps.x`, `matrix.x`, `inputs.x` or an output that nothing defines"),
    Rule::new("file-missing", "a local action, a local workflow, a script that a step runs or the folder that it runs in is not in the tree"),
    Rule::new("script-missing", "a step runs a script by `npm run` that the manifest of its folder does not have"),
    Rule::new("pattern-stale", "a pattern of `paths:` names nothing: all that the change writes in the place of one that names something (a warning for one beside others), or one whose files it moves away"),
    Rule::new("branch-differs", "a trigger goes from `main` to `master` or back, while other triggers keep the name"),
    Rule::new("version-misread", "the version of a language is a number that loses its last digit: `python-version: 3.10` is 3.1. A warning for `3.0`, which is 3"),
    Rule::new("rights-widened", "`permissions` become `write-all`, are removed, or gain a scope while the jobs stay as they were"),
    Rule::new("untrusted-trigger", "an existing workflow is now started by `pull_request_target`, with the secrets of the repository. A warning when its jobs only use actions of others, and check nothing out, or when the task (without a task, a message that no agent wrote) names the trigger"),
    Rule::new("untrusted-checkout", "a workflow with the secrets of the repository checks out the head of a pull request"),
    Rule::new("untrusted-input", "a script contains the text of an issue, a pull request or a commit by an expression"),
    Rule::new("secrets-inherited", "a job that passed chosen secrets, or none, now passes all with `secrets: inherit`. A warning where the task speaks of secrets"),
    Rule::new("action-unpinned", "an action that was pinned by its digest is now named by a tag or a branch. A warning for an action of the owner whom the repository's own manifest names"),
    Rule::new("self-hosted", "warning: a job that ran on hosted runners now runs on a self-hosted one"),
    Rule::new("condition-constant", "a condition has text beside its `${{ … }}`, so that it always holds: `if: ${{ github.event_name }} == 'release'`"),
];

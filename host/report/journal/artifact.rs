//! The files of a round, as bytes. The judgement and the answers that it rests on are written by [`super::Records::keep_judgement`] and its
//! like.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Artifact {
    Prompt,
    /// The reply, byte for byte.
    Reply,
    /// The reply as it was repaired; only where it differs from the reply.
    Repaired,
    /// What each line of the repaired reply was read as, as a JSON list of `ReadLines`; only where all were looked at.
    Account,
    /// The patch as it was found in the reply, as a unified diff.
    Extracted,
    /// The patch that may be placed.
    Sanitized,
    /// The placed change, as a git diff.
    FinalDiff,
    /// What stands around the change and around findings: a git diff whose hunks change nothing.
    Around,
    /// What each fix that a guard gives would change in the placed change: a JSON list of `{"guard", "finding", "diff"}`, where `finding`
    /// counts the guard's findings from 0.
    FixDiffs,
    /// The change with the guards' own fixes, when fixes were tried.
    FixedDiff,
    /// What of a rejected change the guards accept, as a git diff; only where they accept a part.
    Part,
    /// The feedback for the next round.
    Feedback,
    /// The plan of `host run --plan`; in the folder of round 0.
    Plan,
    /// The plan as its steps were run: what the layers and the guards of the plan stage left; in the folder of round 0.
    LayeredPlan,
    /// What `host improve` measured before its first step, and behind its last; in the folder of round 0.
    Audit,
    AuditAfter,
    /// The commits of `host improve` that critics were asked about to refine them, and what voters answered; in the folder of round 0.
    Refined,
    Votes,
    /// The issues of `host fix`; in the folder of round 0.
    Issues,
    /// What an attempt of `host fix` came to; in the folder of its number.
    Attempt,
}

impl Artifact {
    /// The file's name in the folder of its round.
    pub fn file(self) -> &'static str {
        match self {
            Artifact::Prompt => "prompt.txt",
            Artifact::Reply => "reply.txt",
            Artifact::Repaired => "mended.txt",
            Artifact::Account => "account.json",
            Artifact::Extracted => "extracted.patch",
            Artifact::Sanitized => "sanitized.patch",
            Artifact::FinalDiff => "final.diff",
            Artifact::Around => "around.diff",
            Artifact::FixDiffs => "fixes.json",
            Artifact::FixedDiff => "fixed.diff",
            Artifact::Part => "part.diff",
            Artifact::Feedback => "feedback.txt",
            Artifact::Plan => "plan.json",
            Artifact::LayeredPlan => "plan-layered.json",
            Artifact::Audit => "audit.json",
            Artifact::AuditAfter => "audit-after.json",
            Artifact::Refined => "refined.json",
            Artifact::Votes => "votes.json",
            Artifact::Issues => "issues.json",
            Artifact::Attempt => "attempt.json",
        }
    }
}

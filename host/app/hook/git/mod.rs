//! The hooks of git: what is staged, what enters a branch, what is pushed.
//!
//! `reference-transaction` is the gate: `--no-verify` does not skip it. What a branch gets is judged as what it brings in, by the rules of
//! where the branch stands ([`guardhost_gate::branch`]). The host's own runs need no exception: they move refs without starting hooks, since
//! they judged the change themselves.

mod fetched;
mod input;
mod rejection;
mod symbolic;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::context::CommandContext;
use crate::install::judges_moves;
use guardhost_core::change::Oid;
use guardhost_core::error::{Error, Fault, FaultKind, Result, fault};
use guardhost_gate::branch::{BranchGate, BranchMove, KnownCommits, Ledger, MoveRuling, SeenBranch};
use guardhost_gate::{Case, ChangeAuthor, Door, ExistingChange, Gate, Proposal, RuleChanges, Terms};
use guardhost_git::{NOTHING, Repo, commit_change, reworded};
use guardhost_provider::OnHookError;
use guardhost_report::{HookOutcome, HookReport};

use self::input::{RefTarget, pushes};
use self::rejection::{GitRejection, verdicts};
use self::symbolic::SymbolicBranches;
use super::GIT_DEADLINE;
use super::on_error::{let_pass, on_error};

/// A hook of git that the host answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitHook {
    PreCommit,
    PrePush,
    ReferenceTransaction,
}

impl GitHook {
    pub const ALL: [GitHook; 3] = [GitHook::PreCommit, GitHook::PrePush, GitHook::ReferenceTransaction];

    /// Git's name of it.
    pub fn as_str(self) -> &'static str {
        match self {
            GitHook::PreCommit => "pre-commit",
            GitHook::PrePush => "pre-push",
            GitHook::ReferenceTransaction => "reference-transaction",
        }
    }

    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hook| hook.as_str() == word)
    }

    /// What a person runs again with permission to change the rules.
    fn command(self) -> &'static str {
        match self {
            GitHook::PreCommit => "git commit …",
            GitHook::PrePush => "git push …",
            GitHook::ReferenceTransaction => "git …",
        }
    }
}

/// The answer to git. Silent when nothing is wrong.
pub fn git(hook: &str, args: &[String], ctx: &CommandContext) -> HookReport {
    ctx.process.stop.limit_run(Instant::now(), Some(GIT_DEADLINE));
    let judged = match GitHook::from_name(hook) {
        Some(hook) => rejection(hook, args, ctx),
        None => Err(Fault::new(FaultKind::Usage, format!("the host has no hook `{hook}` of git")).into()),
    };
    match judged {
        Ok(None) => HookReport::default(),
        Ok(Some(rejection)) => rejection.into_report(),
        Err(error) => unjudged(failed(&error), ctx.process.settings.as_deref()),
    }
}

/// The answer that is given when there is no other in time.
pub fn late_git(settings: Option<&Path>) -> HookReport {
    unjudged(format!("Guardhost did not judge this within {} s, so git stops", GIT_DEADLINE.as_secs()), settings)
}

/// What the host failed to judge is denied, unless the user's settings say otherwise.
fn unjudged(why: String, settings: Option<&Path>) -> HookReport {
    match on_error(settings) {
        OnHookError::Deny => {
            HookReport { reason: Some(why), outcome: HookOutcome::DeniedToGit, ..HookReport::default() }
        }
        OnHookError::Allow => HookReport { reason: Some(let_pass(&why)), ..HookReport::default() },
    }
}

fn failed(error: &Error) -> String {
    let hint = fault(error).and_then(|fault| fault.hint.as_deref());
    let hint = hint.map_or(String::new(), |hint| format!("\nhint: {hint}"));
    format!("Guardhost could not judge this, so git stops: {error:#}{hint}")
}

/// Git names its folder, which need not be above the current one. No variable of the host's own names another: what is known there is not
/// known here.
fn repository(ctx: &CommandContext) -> Result<Repo> {
    let named = ctx.process.var("GIT_DIR").map(PathBuf::from);
    Repo::open(&ctx.path(&named.unwrap_or_default()))
}

fn rejection(hook: GitHook, args: &[String], ctx: &CommandContext) -> Result<Option<GitRejection>> {
    match hook {
        GitHook::PreCommit => pre_commit(ctx),
        GitHook::PrePush => pre_push(ctx),
        // Once the refs are moved, or are not, nothing can be stopped, and only noted.
        GitHook::ReferenceTransaction => match args.first().map(String::as_str) {
            Some("prepared") => transaction(ctx),
            Some("committed") => fetched::fetched(ctx).map(|()| None),
            Some(_) | None => Ok(None),
        },
    }
}

/// What is staged; or the range that pre-commit and prek name, which run their hooks on pushed commits too.
fn pre_commit(ctx: &CommandContext) -> Result<Option<GitRejection>> {
    let repo = repository(ctx)?;
    let var = |name: &str| ctx.process.var(name).map(|value| value.to_string_lossy().into_owned());
    let branch = var("PRE_COMMIT_LOCAL_BRANCH");
    let range = match (var("PRE_COMMIT_FROM_REF"), var("PRE_COMMIT_TO_REF").or(branch)) {
        (Some(from), Some(to)) => Some(format!("{from}..{to}")),
        // The first push of a branch: there is nothing on the other side to compare with. Each of the two says so in its own way.
        (None, Some(to)) => Some(format!("{NOTHING}..{to}")),
        (None, None) => None,
        (Some(_), None) => {
            return Err(Fault::new(FaultKind::Usage, "PRE_COMMIT_FROM_REF is set, and PRE_COMMIT_TO_REF is not").into());
        }
    };
    let index = repo.index_path(ctx.process.index.as_deref())?;
    let proposal = match &range {
        Some(range) => ExistingChange::Range(range).propose(&repo)?,
        None => ExistingChange::Staged { index: &index }.propose(&repo)?,
    };
    if proposal.candidate.files.is_empty() {
        return Ok(None);
    }
    let gate = Gate::for_change(&ctx.hook_policies(), &repo, &proposal, &ctx.terms(Door::PreCommit))?;
    let ruling = gate.rule(Case::report(proposal.candidate, None), ctx)?;
    let mut rejection = GitRejection::new(GitHook::PreCommit, ctx);
    rejection.add_ruling("Guardhost rejects this change:", &ruling);
    if range.is_none() && judges_moves(&repo)? {
        rejection.add_way_with_message(&ruling);
    }
    Ok(rejection.unless_empty())
}

fn pre_push(ctx: &CommandContext) -> Result<Option<GitRejection>> {
    let pushes = pushes(&input::read()?)?;
    let repo = repository(ctx)?;
    let ledger = Ledger::open(&repo, ctx.process.cache.as_deref());
    let known = KnownCommits::read(&repo, &ledger)?;
    let source = ctx.hook_policies();
    let gate =
        BranchGate { repo: &repo, source: &source, terms: ctx.terms(Door::PrePush), known: &known, observer: ctx };
    let mut rejection = GitRejection::new(GitHook::PrePush, ctx);
    for push in pushes {
        let old = (!push.theirs.is_zero()).then_some(push.theirs);
        let moved = BranchMove { name: &push.name, old, stood: None, new: push.new };
        if !push.new.is_zero() {
            let ruling = gate.pushed(&moved)?;
            ruling.remember(ctx);
            rejection.add_move(&push.name, &ruling);
        }
    }
    Ok(rejection.unless_empty())
}

/// The refs are locked, and nothing is moved yet.
fn transaction(ctx: &CommandContext) -> Result<Option<GitRejection>> {
    let changes = input::changes(&input::read()?)?;
    let terms = ctx.terms(Door::BranchMove);
    let mut rejection = GitRejection::new(GitHook::ReferenceTransaction, ctx);
    if terms.rule_changes == RuleChanges::Kept {
        changes.replacements.iter().for_each(|name| rejection.add_replacement(name));
        for (branch, target) in &changes.branches {
            target.leads_out().into_iter().for_each(|target| rejection.add_symbolic(branch, target));
        }
    }
    let repo = repository(ctx)?;
    if terms.rule_changes == RuleChanges::Kept {
        let unseen = changes.unseen(&repo)?;
        // All loose branches are read: 10,000 take about 0.1 s.
        let symbolic = (!unseen.is_empty()).then(|| SymbolicBranches::read(repo.common_dir()));
        for name in unseen {
            let led = symbolic.iter().filter_map(|symbolic| symbolic.leading_to(name));
            led.for_each(|branch| rejection.add_led(name, branch));
        }
    }
    if changes.branches.is_empty() {
        return Ok(rejection.unless_empty());
    }
    let mut ledger = Ledger::open(&repo, ctx.process.cache.as_deref());
    let names: Vec<&str> = changes.branches.iter().map(|(name, _)| name.as_str()).collect();
    ledger.forget_unmade(&repo, &names)?;
    let known = KnownCommits::read(&repo, &ledger)?;
    let source = ctx.hook_policies();
    let gate = BranchGate { repo: &repo, source: &source, terms, known: &known, observer: ctx };
    let (mut let_in, mut seen) = (Vec::new(), Vec::new());
    for (name, target) in changes.branches {
        // Git does not say where a ref stands that is moved from anywhere.
        let old = repo.ref_target(&name).filter(|old| repo.tree_of(*old).is_ok());
        if target == RefTarget::Nothing {
            seen.extend(old.map(|old| (name.clone(), SeenBranch::Stands(old))));
        }
        let Some(new) = target.target(&repo) else { continue };
        let stood = ledger.stood(&name).filter(|stood| Some(*stood) != old);
        let moved = BranchMove { name: &name, old, stood, new };
        let ruling = gate.local(&moved)?;
        let is_accepted = ruling.objections.is_empty();
        let is_let_in = is_accepted || only_says_it_anew(&repo, new, old, &gate)?;
        // What only says it anew is not judged anew.
        if is_accepted || !is_let_in {
            ruling.remember(ctx);
        }
        if is_let_in {
            let_in.extend(ruling.known(new));
            rejection.add_unread(&name, ruling.unread_commits);
            seen.push((name, SeenBranch::Moves(new)));
        } else {
            rejection.add_move(&name, &ruling);
        }
    }
    if !rejection.stops_git() {
        // Where the hooks came by another home, as in a container, or the cache was emptied, what a person has is what was there before.
        if ctx.author() == ChangeAuthor::Person {
            ledger.installed(&repo)?;
        }
        ledger.add(&let_in, &seen)?;
    }
    Ok(rejection.unless_empty())
}

/// Why a branch may not stand where it does, for a model.
pub(super) fn branch_rejection(branch: &str, ruling: &MoveRuling, ctx: &CommandContext) -> String {
    let mut rejection = GitRejection::new(GitHook::ReferenceTransaction, ctx);
    rejection.add_move(branch, ruling);
    rejection.into_report().reason.unwrap_or_default()
}

/// Whether a commit that is rejected is the old tip with another message, to which no guard objects: what is wrong with it is in the branch
/// already.
fn only_says_it_anew(repo: &Repo, commit: Oid, old: Option<Oid>, gate: &BranchGate<'_>) -> Result<bool> {
    let Some(old) = old else { return Ok(false) };
    let Some(earlier) = reworded(repo, commit, &[old])? else { return Ok(false) };
    let terms = Terms { rule_changes: RuleChanges::Allowed, ..gate.terms };
    let said = |commit: Oid| -> Result<_> {
        let proposal = Proposal::on_base(commit_change(repo, commit)?);
        let gate_of_change = Gate::for_change(gate.source, repo, &proposal, &terms)?;
        Ok(verdicts(&gate_of_change.rule(Case::report(proposal.candidate, None).in_passing(), gate.observer)?))
    };
    Ok(said(commit)? == said(earlier)?)
}

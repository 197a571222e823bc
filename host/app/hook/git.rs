//! The hooks of git: what is staged, what enters a branch, what is pushed.
//!
//! `reference-transaction` is the gate: `--no-verify` does not skip it. Every commit that enters a branch is judged as a change of its own.
//! Known are the commits of other branches, which were judged when they came, and those of remotes, which others made. The host's own runs
//! need no exception: they move refs without starting hooks, since they judged the change themselves.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::context::CommandContext;
use guardhost_core::change::{Candidate, GuardVerdict, Oid};
use guardhost_core::error::{Context as _, Error, Fault, Kind, Result, fault};
use guardhost_engine::Context;
use guardhost_git::{NOTHING, Repo, commit_change, new_commits, range, reworded, staged_in};
use guardhost_pipeline::judge::judge;
use guardhost_pipeline::judging::{Judging, Purpose};
use guardhost_policy::check_rules_untouched;
use guardhost_provider::OnHookError;
use guardhost_report::{HookOutcome, HookReport, escape};

use super::on_error::{let_pass, on_error};
use super::{GIT_DEADLINE, short};

/// More new commits than these are not judged one by one.
const MAX_COMMITS: usize = 500;

/// Larger input is not read, in bytes.
const MAX_INPUT: u64 = 64 << 20;

/// A person who maintains the rules sets this for one command.
const ALLOW_RULE_CHANGES: &str = "GUARDHOST_ALLOW_RULE_CHANGES";

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
    pub fn word(self) -> &'static str {
        match self {
            GitHook::PreCommit => "pre-commit",
            GitHook::PrePush => "pre-push",
            GitHook::ReferenceTransaction => "reference-transaction",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hook| hook.word() == word)
    }
}

/// The answer to git. Silent when nothing is wrong.
pub fn git(hook: &str, args: &[String], ctx: &CommandContext) -> HookReport {
    ctx.process.stop.limit_run(Instant::now(), Some(GIT_DEADLINE));
    let judged = match GitHook::from_word(hook) {
        Some(hook) => objection(hook, args, ctx),
        None => Err(Fault::new(Kind::Usage, format!("the host has no hook `{hook}` of git")).into()),
    };
    match judged {
        Ok(None) => HookReport { answer: None, reason: None, outcome: HookOutcome::Passed },
        Ok(Some(reason)) => denied(reason),
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
        OnHookError::Deny => denied(why),
        OnHookError::Allow => HookReport { answer: None, reason: Some(let_pass(&why)), outcome: HookOutcome::Passed },
    }
}

fn denied(reason: String) -> HookReport {
    HookReport { answer: None, reason: Some(reason), outcome: HookOutcome::DeniedToGit }
}

fn failed(error: &Error) -> String {
    let hint = fault(error).and_then(|fault| fault.hint.as_deref());
    let hint = hint.map_or(String::new(), |hint| format!("\nhint: {hint}"));
    format!("Guardhost could not judge this, so git stops: {error:#}{hint}")
}

/// Git names its folder, which need not be above the current one.
fn repository(ctx: &CommandContext) -> Result<Repo> {
    let named = ctx.process.var("GIT_DIR").map(PathBuf::from);
    let dir = ctx.global.repo.clone().or(named).unwrap_or_default();
    Repo::open(&ctx.path(&dir))
}

fn objection(hook: GitHook, args: &[String], ctx: &CommandContext) -> Result<Option<String>> {
    match hook {
        GitHook::PreCommit => pre_commit(ctx),
        GitHook::PrePush => pre_push(args.first().map(String::as_str), ctx),
        // It is called again when the refs are moved, and when they are not: then nothing can be stopped.
        GitHook::ReferenceTransaction if args.first().is_some_and(|state| state == "prepared") => transaction(ctx),
        GitHook::ReferenceTransaction => Ok(None),
    }
}

/// What is staged; or the range that pre-commit and prek name, which run their hooks on pushed commits too.
fn pre_commit(ctx: &CommandContext) -> Result<Option<String>> {
    let repo = repository(ctx)?;
    let var = |name: &str| ctx.process.var(name).map(|value| value.to_string_lossy().into_owned());
    let candidate = match (var("PRE_COMMIT_FROM_REF"), var("PRE_COMMIT_TO_REF")) {
        (Some(from), Some(to)) => range(&repo, &format!("{from}..{to}"))?,
        // The first push of a branch: there is nothing on the other side to compare with. Each of the two says so in its own way.
        (None, Some(to)) => range(&repo, &format!("{NOTHING}..{to}"))?,
        (None, None) if var("PRE_COMMIT_LOCAL_BRANCH").is_some() => {
            let branch = var("PRE_COMMIT_LOCAL_BRANCH").unwrap_or_default();
            range(&repo, &format!("{NOTHING}..{branch}"))?
        }
        (None, None) => staged_in(&repo, &repo.index_path(ctx.process.index.as_deref())?)?,
        (Some(_), None) => {
            return Err(Fault::new(Kind::Usage, "PRE_COMMIT_FROM_REF is set, and PRE_COMMIT_TO_REF is not").into());
        }
    };
    let rejected = judged(&repo, candidate, Rules::allowed(ctx), ctx)?;
    Ok(rejected.map(|Rejection { why, .. }| format!("Guardhost rejects this change:\n{why}")))
}

/// A line of git's: what is pushed, and where the remote stands.
fn pre_push(remote: Option<&str>, ctx: &CommandContext) -> Result<Option<String>> {
    let repo = repository(ctx)?;
    let of_remote = remote.map(|remote| format!("refs/remotes/{remote}/"));
    let mut known: Vec<Oid> = Vec::new();
    for (name, oid) in repo.refs("refs/remotes/")? {
        if of_remote.as_ref().is_some_and(|prefix| name.starts_with(prefix.as_str())) {
            known.push(oid);
        }
    }
    let mut found = Vec::new();
    for line in input()?.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split(' ').collect();
        let [local, oid, _, theirs] = words.as_slice() else {
            return Err(Fault::new(
                Kind::Usage,
                format!("git sent a line that is not understood: {}", escape::inline(line, 200)),
            )
            .into());
        };
        let (oid, theirs) = (object(oid)?, object(theirs)?);
        let known: Vec<Oid> = known.iter().copied().chain([theirs]).filter(|oid| !oid.is_zero()).collect();
        found.extend(entering(&repo, local, oid, &known, ctx)?);
    }
    Ok(joined(found))
}

/// Lines `old new ref`: the refs are locked, and nothing is moved yet.
fn transaction(ctx: &CommandContext) -> Result<Option<String>> {
    let input = input()?;
    let mut lines = Vec::new();
    for line in input.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let [_, new, name] = words.as_slice() else {
            return Err(Fault::new(
                Kind::Usage,
                format!("git sent a line that is not understood: {}", escape::inline(line, 200)),
            )
            .into());
        };
        let new = match new.strip_prefix("ref:") {
            Some(target) => Moved::Leads(target),
            None => Moved::To(object(new)?),
        };
        // A ref that is deleted gets no commit.
        if is_branch(name) && new != Moved::To(Oid::ZERO_SHA1) {
            lines.push((*name, new));
        }
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let repo = repository(ctx)?;
    let mut moved: Vec<(String, Oid)> = Vec::new();
    for (name, new) in lines {
        let tip = match new {
            Moved::To(tip) => Some(tip),
            Moved::Leads(target) if is_branch(target) => None,
            // A branch can be a symbolic ref to a ref that is none.
            Moved::Leads(target) => repo.ref_target(target),
        };
        moved.extend(tip.map(|tip| (name.to_owned(), tip)));
    }
    let mut known: Vec<Oid> = repo.refs(BRANCHES)?.into_iter().map(|(_, oid)| oid).collect();
    known.extend(repo.refs("refs/remotes/")?.into_iter().map(|(_, oid)| oid));
    let mut found = Vec::new();
    for (name, new) in moved {
        found.extend(entering(&repo, &name, new, &known, ctx)?);
    }
    Ok(joined(found))
}

/// What a ref is about to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moved<'a> {
    To(Oid),
    /// A symbolic ref, to the ref of this name.
    Leads(&'a str),
}

const BRANCHES: &str = "refs/heads/";

/// Where file names have no case, `refs/Heads/main` is the file of `refs/heads/main`.
fn is_branch(name: &str) -> bool {
    name.get(..BRANCHES.len()).is_some_and(|start| start.eq_ignore_ascii_case(BRANCHES))
}

/// What is wrong with the commits that `tip` has and `known` have not.
fn entering(repo: &Repo, name: &str, tip: Oid, known: &[Oid], ctx: &CommandContext) -> Result<Vec<String>> {
    if tip.is_zero() {
        return Ok(Vec::new());
    }
    let commits = new_commits(repo, tip, known)?;
    if commits.len() > MAX_COMMITS {
        let what = format!("{} would get {} commits that were never judged", escape::inline(name, 200), commits.len());
        return Err(Fault::new(Kind::Git, what)
            .hint("if another repository made them, fetch them as a remote's; else judge them in parts")
            .into());
    }
    let mut found = Vec::new();
    let rules = Rules::allowed(ctx);
    for commit in commits {
        if let Some(Rejection { why, .. }) = judged(repo, commit_change(repo, commit)?, rules, ctx)?
            && !only_says_it_anew(repo, commit, known, ctx)?
        {
            let id = commit.to_string();
            found.push(format!("Guardhost keeps commit {} out of {}:\n{why}", &id[..12], escape::inline(name, 200)));
        }
    }
    Ok(found)
}

/// Whether a commit that is rejected is a known one with another message, to which no guard objects: what is wrong with it is in the branch
/// already.
fn only_says_it_anew(repo: &Repo, commit: Oid, known: &[Oid], ctx: &CommandContext) -> Result<bool> {
    let Some(earlier) = reworded(repo, commit, known)? else { return Ok(false) };
    let verdicts = |commit: Oid| -> Result<_> {
        let rejected = judged(repo, commit_change(repo, commit)?, Rules::Free, ctx)?;
        Ok(rejected.map(|rejection| rejection.verdicts))
    };
    Ok(verdicts(commit)? == verdicts(earlier)?)
}

/// What stands against a commit.
struct Rejection {
    /// For people, and so with the first findings alone.
    why: String,
    /// Of every guard, by its id; none when no guard was asked.
    verdicts: Vec<(String, GuardVerdict)>,
}

/// Whether a change of the rules is a reason to reject a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rules {
    Kept,
    Free,
}

impl Rules {
    /// What the person who runs git allows.
    fn allowed(ctx: &CommandContext) -> Self {
        match ctx.process.var(ALLOW_RULE_CHANGES).is_some_and(|value| !is_no(&value.to_string_lossy())) {
            true => Rules::Free,
            false => Rules::Kept,
        }
    }
}

/// Why a change is rejected; None when it is accepted, or empty: a commit may only have a new message.
fn judged(repo: &Repo, candidate: Candidate, rules: Rules, ctx: &CommandContext) -> Result<Option<Rejection>> {
    if candidate.files.is_empty() {
        return Ok(None);
    }
    let policy = ctx.policies().resolve(repo, candidate.base, candidate.base_tree, &[], &[])?;
    if rules == Rules::Kept
        && let Err(refused) = check_rules_untouched(&candidate, &policy.rules)
    {
        let why = format!("- {refused}\n  If you maintain the rules: {ALLOW_RULE_CHANGES}=1 git commit …");
        return Ok(Some(Rejection { why, verdicts: Vec::new() }));
    }
    let judging = Judging { policy: &policy, purpose: Purpose::Report, fixes: false };
    let judged = judge(candidate, &judging, &Context { task: None, observer: ctx })?;
    Ok((!judged.is_accepted()).then(|| Rejection {
        why: short::rejection(judged.candidate(), judged.judgement()),
        verdicts: judged.judgement().evidence.iter().map(|each| (each.id.clone(), each.verdict.clone())).collect(),
    }))
}

/// As the command line reads variables of its flags.
fn is_no(value: &str) -> bool {
    ["0", "f", "false", "n", "no", "off"].iter().any(|no| value.eq_ignore_ascii_case(no))
}

fn joined(found: Vec<String>) -> Option<String> {
    (!found.is_empty()).then(|| found.join("\n"))
}

/// Names of refs are bytes to git; what is no UTF-8 is only shown, and compared with what was read in the same way.
fn input() -> Result<String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes);
    read.context(Fault::new(Kind::Git, "cannot read which refs git moves"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn object(hex: &str) -> Result<Oid> {
    Oid::from_str(hex).map_err(|_| Fault::new(Kind::Usage, format!("git sent no object id: {hex}")).into())
}

//! `host accept --part` and `--hunks`: a part of what a run wrote goes to the index and the work tree. Whoever takes it commits it.

use guardhost_core::change::{Candidate, ChangeType, FileChange, Oid};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_gate::salvage::shares::{Share, Shares, texts, tree};
use guardhost_git::{Head, Hunk, Merged, Repo, apply_to_worktree, candidate, hunks};
use guardhost_report::journal::History;
use guardhost_report::{TakenAction, TakenReport, escape};

use super::init::Ask;
use super::run_part::part_of;
use super::run_result::{RunResult, result_of};
use super::select_run::run_or_newest;
use super::take::{conflicts, judged};
use crate::cli::AcceptArgs;
use crate::context::CommandContext;

/// Lines of a hunk that a question shows.
const SHOWN: usize = 60;

/// Judged on HEAD as it is now, and placed there, staged. HEAD does not move.
///
/// # Errors
/// [`FaultKind::Usage`]: the run left no such part, or there is nobody to ask; [`FaultKind::Git`]: the part does not fit HEAD or the files.
pub(super) fn take_part(
    args: &AcceptArgs,
    repo: &Repo,
    ctx: &CommandContext,
    ask: Option<&Ask<'_>>,
) -> Result<TakenReport> {
    let (history, mut result) = source(args, repo)?;
    if args.hunks {
        let Some(ask) = ask else { return Err(nobody_to_ask(&history, &result)) };
        let change = candidate(repo, result.base, result.base_tree, result.tree)?;
        result.tree = tree(repo, &change, &chosen(&change, ask)?)?;
        let message = format!("Hunks of a change\n\nGuardhost-Run: {}\n", history.run);
        result.commit = repo.commit(result.tree, result.base.as_slice(), &message)?;
    }
    let head = repo.head()?;
    let report = TakenReport {
        task: history.run().map(|(_, run)| run.task.clone()).unwrap_or_default(),
        onto: head.branch.clone(),
        branch: history.branch().filter(|_| history.commit().is_some()),
        head: head.commit,
        run: history.run,
        ..TakenReport::default()
    };
    let tree = on_head(repo, &head, &result)?;
    if tree == head.tree {
        return Ok(TakenReport { action: TakenAction::AlreadyAccepted, ..report });
    }
    let (change, check) = judged(repo, ctx, &head, tree)?;
    if check.as_ref().is_some_and(|check| check.refusal.is_some() || !check.judgement.is_accepted()) {
        return Ok(TakenReport { check, ..report });
    }
    apply_to_worktree(repo, &change, ctx)?;
    Ok(TakenReport { action: TakenAction::Staged, check, ..report })
}

/// What is taken from: the part, or, hunk by hunk, what the run committed.
fn source(args: &AcceptArgs, repo: &Repo) -> Result<(History, RunResult)> {
    let takes_commit = |history: &History| args.hunks && !args.part && history.commit().is_some();
    let is_wanted =
        |history: &History| takes_commit(history) || part_of(repo, history).is_ok_and(|part| part.is_some());
    let missing = "no recorded run left a part that the guards accept";
    let history = run_or_newest(&repo.state_dir()?, args.run.run.as_deref(), is_wanted, missing)?;
    if takes_commit(&history) {
        let result = result_of(repo, &history)?;
        return Ok((history, result));
    }
    match part_of(repo, &history)? {
        Some(part) => Ok((history, part.result)),
        None if history.commit().is_some() => {
            let what = format!("the change of the run {} was accepted whole", history.run);
            Err(Fault::new(FaultKind::Usage, what).hint(format!("host accept {}", history.run)).into())
        }
        None => {
            let what = format!("no acceptable part of the run {} was stored", history.run);
            let hint = format!("`host show {}` shows what was rejected", history.run);
            Err(Fault::new(FaultKind::Usage, what).hint(hint).into())
        }
    }
}

fn nobody_to_ask(history: &History, result: &RunResult) -> guardhost_core::error::Error {
    let hint = format!(
        "run it in a terminal, or take hunks with git: git checkout -p {} -- and then `host check --staged`",
        result.commit
    );
    let what = format!("each hunk of the run {} is a question, and there is no terminal to ask at", history.run);
    Fault::new(FaultKind::Usage, what).hint(hint).into()
}

/// What a person says yes to.
fn chosen(change: &Candidate, ask: &Ask<'_>) -> Result<Shares> {
    let mut shares = Shares::new();
    for (number, file) in change.files.iter().enumerate() {
        let parts = match texts(change, number)? {
            Some((old, new)) => hunks(&old, &new)?.into_iter().map(|hunk| (shown(&old, &new, &hunk), hunk)).collect(),
            None => Vec::new(),
        };
        // Of a binary file there are no hunks.
        if parts.is_empty() {
            if ask(&whole(file), true)? {
                shares.insert(number, Share::Whole);
            }
            continue;
        }
        let (count, mut wanted) = (parts.len(), Vec::new());
        for (at, (text, hunk)) in parts.into_iter().enumerate() {
            if ask(
                &format!("{}\n{text}hunk {} of {count}: take it?", escape::inline(&file.path.to_string(), 200), at + 1),
                true,
            )? {
                wanted.push(hunk);
            }
        }
        if !wanted.is_empty() {
            shares.insert(number, Share::Hunks(wanted));
        }
    }
    match shares.is_empty() {
        true => Err(Fault::new(FaultKind::Nothing, "nothing was chosen, and nothing was changed").into()),
        false => Ok(shares),
    }
}

fn whole(file: &FileChange) -> String {
    let what = match file.change_type {
        ChangeType::Add | ChangeType::Copy => "is new",
        ChangeType::Modify => "is changed as a whole",
        ChangeType::Delete => "is removed",
        ChangeType::Rename => "has this name now",
    };
    format!("{} {what}: take it?", escape::inline(&file.path.to_string(), 200))
}

/// The lines of a hunk, as a terminal may show them.
fn shown(old: &[u8], new: &[u8], hunk: &Hunk) -> String {
    let of = |text: &[u8], lines: std::ops::Range<usize>, sign: &str| -> Vec<String> {
        let lines = text.split(|byte| *byte == b'\n').skip(lines.start).take(lines.len());
        lines.map(|line| format!("{sign}{}\n", escape::inline(&String::from_utf8_lossy(line), 200))).collect()
    };
    let lines = [of(old, hunk.old.clone(), "-"), of(new, hunk.new.clone(), "+")].concat();
    let more = match lines.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("… {more} more lines\n"),
    };
    lines.into_iter().take(SHOWN).collect::<String>() + &more
}

/// The tree of HEAD with the part.
fn on_head(repo: &Repo, head: &Head, result: &RunResult) -> Result<Oid> {
    match (result.base, head.commit) {
        (base, at) if base == at => Ok(result.tree),
        (Some(base), Some(at)) if repo.contains(at, base)? => match repo.merge(at, result.commit)? {
            Merged::Clean(tree) => Ok(tree),
            Merged::Conflicts(paths) => Err(conflicts(&paths)),
        },
        _ => Err(Fault::new(FaultKind::Git, "HEAD does not hold the commit that the run was made for")
            .hint("check out a branch that holds it, and take the part there")
            .into()),
    }
}

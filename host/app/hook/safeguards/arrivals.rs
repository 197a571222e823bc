//! What came into branches without a hook of git that saw it.

use super::state::Safeguards;
use crate::context::CommandContext;
use crate::hook::git::branch_rejection;
use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_gate::Door;
use guardhost_gate::branch::{BranchGate, BranchMove, KnownCommits, Ledger, SeenBranch};
use guardhost_git::Repo;
use guardhost_report::escape;

/// Why the gate rejects what branches got since `before`. What it accepts it knows from then on. What only
/// people do, such as a permission to change the rules, does not count if it was done while an agent's command ran: a script of the agent's
/// can look as if a person started it.
///
/// # Errors
/// The history or the rules cannot be read, or a guard was stopped.
pub(super) fn rejected(
    repo: &Repo,
    before: &Safeguards,
    now: &Safeguards,
    ctx: &CommandContext,
) -> Result<Option<String>> {
    let mut ledger = Ledger::open(repo, ctx.process.cache.as_deref());
    ledger.take_back(&before.ledger)?;
    // Without hooks of git nothing went past them.
    if !ledger.is_installed() {
        return Ok(None);
    }
    let moved = now.branches.iter().filter_map(|(name, tip)| {
        let old = before.branches.get(name);
        let tip = Oid::from_str(tip).ok().filter(|_| old != Some(tip))?;
        (ledger.stood(name) != Some(tip)).then(|| (name.as_str(), old.and_then(|old| Oid::from_str(old).ok()), tip))
    });
    let moved: Vec<(&str, Option<Oid>, Oid)> = moved.collect();
    if moved.is_empty() {
        return Ok(None);
    }
    let names = moved.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let known = KnownCommits::read(repo, &ledger)?.without(names);
    let source = ctx.hook_policies();
    let gate = BranchGate { repo, source: &source, terms: ctx.terms(Door::BranchMove), known: &known, observer: ctx };
    let head = repo.head()?.branch;
    let (mut let_in, mut stood, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for (name, old, new) in moved {
        let seen = ledger.stood(name).filter(|seen| Some(*seen) != old && *seen != new);
        let ruling = gate.local(&BranchMove { name, old, stood: seen, new })?;
        ruling.remember(ctx);
        if ruling.objections.is_empty() {
            let_in.extend(ruling.known(new));
            stood.push((name.to_owned(), SeenBranch::Stands(new)));
            continue;
        }
        let short = name.strip_prefix("refs/heads/").unwrap_or(name);
        let is_checked_out = head.as_deref() == Some(short);
        let short = escape::inline(short, 200);
        let back = match old {
            Some(old) if is_checked_out => format!("git reset --soft {old}"),
            Some(old) => format!("git branch -f {short} {old}"),
            None => format!("git branch -D {short}"),
        };
        parts.push(format!(
            "A command brought commits into a branch past the hooks of git, or changed its rules. Take them out (`{back}`), fix what is named, and commit again. Leave a branch alone \
             that no command of yours moved:\n{}",
            branch_rejection(name, &ruling, ctx)
        ));
    }
    ledger.add(&let_in, &stood)?;
    Ok((!parts.is_empty()).then(|| parts.join("\n")))
}

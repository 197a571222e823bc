//! The issues of a run: read, compared with what earlier runs did, and claimed.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::issue::{IssueFact, IssueStatus};
use guardhost_core::stop::StopToken;
use guardhost_git::{Head, Repo};
use guardhost_pipeline::fix::claim::{ClaimedIssue, Claims, IssueClaim};
use guardhost_pipeline::fix::earlier::earlier;
use guardhost_pipeline::fix::issue::{Issue, ListedState};
use guardhost_pipeline::fix::source::{IssueFormat, issues};
use guardhost_report::journal::{Actor, IssueRecord, Object, ObjectBody, Records};
use serde::{Deserialize, Serialize};

use super::merged::MergedPulls;
use super::tracked;
use crate::cli::FixArgs;
use crate::context::CommandContext;

/// Bytes of a file of issues. Scanners of large programs write some ten megabytes.
const FILE: u64 = 64 << 20;

/// An issue, and whether this run tries it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListedIssue {
    pub issue: Issue,
    /// Why it is left as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<LeftIssue>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LeftIssue {
    pub status: IssueStatus,
    pub commit: Option<String>,
    pub why: Option<String>,
}

/// # Errors
/// [`FaultKind::Usage`]: the file cannot be read, or holds no issues; of the forge.
pub fn read(args: &FixArgs, base: &Head, repo: &Repo, ctx: &CommandContext) -> Result<Vec<Issue>> {
    let from = &args.from;
    if let Some(number) = from.issue {
        return tracked::read(number, &args.forge, base, repo, ctx);
    }
    let sources =
        [(&from.issues, IssueFormat::Json), (&from.sarif, IssueFormat::Sarif), (&from.from_audit, IssueFormat::Audit)];
    let Some((file, format)) = sources.into_iter().find_map(|(file, format)| Some((file.as_ref()?, format))) else {
        return Err(Fault::new(FaultKind::Usage, "no list of issues is named")
            .hint("--issue, --issues, --sarif or --from-audit")
            .into());
    };
    let name = file.display().to_string();
    let cannot = || Fault::new(FaultKind::Usage, format!("cannot read the issues {name}"));
    let mut bytes = Vec::new();
    match file == Path::new("-") {
        true => std::io::stdin().take(FILE).read_to_end(&mut bytes),
        false => std::fs::File::open(ctx.path(file)).and_then(|file| file.take(FILE).read_to_end(&mut bytes)),
    }
    .with_context(cannot)?;
    issues(format, &bytes, &name, repo.workdir())
}

/// Each with the id of its issue.
pub type HeldClaims = Vec<(String, IssueClaim)>;

/// Claims what is open, then asks the journal: what another host did before it gave its claim back is in there. The claims are held until
/// they are dropped. What is merged by the word of `merged` is left out; without it, everything that is open is tried again.
///
/// # Errors
/// Of the repository and the records.
pub fn claim(
    list: Vec<Issue>,
    run: &str,
    claims: &dyn Claims,
    repo: &Repo,
    (merged, stop): (Option<MergedPulls>, &StopToken),
) -> Result<(Vec<ListedIssue>, HeldClaims)> {
    let mut held = Vec::new();
    let mut listed = Vec::new();
    for issue in list {
        let left = match &issue.standing {
            ListedState::Ignored(why) => {
                Some(LeftIssue { status: IssueStatus::Ignored, commit: None, why: why.clone() })
            }
            ListedState::Duplicate(of) => {
                Some(LeftIssue { status: IssueStatus::Duplicate, commit: None, why: Some(format!("the same as {of}")) })
            }
            ListedState::Open => match claims.claim(&issue.fingerprint, run)? {
                ClaimedIssue::Ours(claim) => {
                    held.push((issue.id.clone(), claim));
                    None
                }
                ClaimedIssue::Held { by } => {
                    let by = by.map_or_else(|| "another host".to_owned(), |by| format!("the run {by}"));
                    Some(LeftIssue {
                        status: IssueStatus::InProgress,
                        commit: None,
                        why: Some(format!("{by} works on it")),
                    })
                }
            },
        };
        listed.push(ListedIssue { issue, left });
    }
    if let Some(mut merged) = merged {
        let open = listed.iter().filter(|listed| listed.left.is_none());
        let wanted: BTreeSet<&str> = open.map(|listed| listed.issue.fingerprint.as_str()).collect();
        let earlier = earlier(repo, &repo.state_dir()?, &wanted, &mut |pull| merged.has(pull), stop)?;
        for listed in listed.iter_mut().filter(|listed| listed.left.is_none()) {
            let Some(done) = earlier.get(&listed.issue.fingerprint) else { continue };
            let why = Some(format!("fixed in run {}; --again fixes it once more", done.run));
            listed.left = Some(LeftIssue { status: done.status, commit: Some(done.commit.clone()), why });
        }
    }
    held.retain(|(id, _)| listed.iter().any(|listed| listed.issue.id == *id && listed.left.is_none()));
    Ok((listed, held))
}

/// Claims once more what the run that is resumed had claimed.
///
/// # Errors
/// [`FaultKind::Usage`]: another host has taken up one of the issues since.
pub fn claim_again(listed: &[ListedIssue], run: &str, claims: &dyn Claims) -> Result<Vec<(String, IssueClaim)>> {
    let mut held = Vec::new();
    for ListedIssue { issue, .. } in listed.iter().filter(|listed| listed.left.is_none()) {
        match claims.claim(&issue.fingerprint, run)? {
            ClaimedIssue::Ours(claim) => held.push((issue.id.clone(), claim)),
            ClaimedIssue::Held { by } => {
                let what = format!("another host works on the issue {} (run {})", issue.id, by.unwrap_or_default());
                return Err(Fault::new(FaultKind::Usage, what).hint("resume when it has ended").into());
            }
        }
    }
    Ok(held)
}

/// Writes a fact about an issue.
///
/// # Errors
/// Of the records.
pub fn record(records: &Records, run: &str, issue: &Issue, fact: IssueFact) -> Result<()> {
    let (id, fingerprint) = (issue.id.clone(), issue.fingerprint.clone());
    let record = IssueRecord { run_id: run.to_owned(), issue: id, fingerprint, fact };
    records.record(&Object::new(ObjectBody::Issue(record), Actor::host()))
}

/// What the list says of every issue, and the claims.
///
/// # Errors
/// Of the records.
pub fn record_list(records: &Records, run: &str, listed: &[ListedIssue], held: &[(String, IssueClaim)]) -> Result<()> {
    for ListedIssue { issue, .. } in listed {
        let path = issue.path.as_ref().map(ToString::to_string);
        record(records, run, issue, IssueFact::Listed { title: issue.title.clone(), path })?;
        match &issue.standing {
            ListedState::Open => {}
            ListedState::Ignored(why) => record(records, run, issue, IssueFact::Ignored { why: why.clone() })?,
            ListedState::Duplicate(of) => record(records, run, issue, IssueFact::Duplicate { of: of.clone() })?,
        }
        if let Some((_, claim)) = held.iter().find(|(id, _)| *id == issue.id) {
            record(records, run, issue, IssueFact::Claimed { fence: claim.fence })?;
        }
    }
    Ok(())
}

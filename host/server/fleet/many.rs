//! `host submit --stdin`: many ranges over one connection. Each is submitted as soon as its line is read; the answers come in the order of
//! the lines.

use std::io::BufRead as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guardhost_core::error::{Context as _, Error, Fault, FaultKind, Result, kind};
use guardhost_fleet::job::{Class, Job, ObjectSource};
use guardhost_fleet::objects::{self, Packer};
use guardhost_fleet::queue::QueueError;
use guardhost_fleet::submit::{SubmitAnswer, Submitter};
use serde_json::Value;
use tokio::task::JoinSet;

use super::connection::failed;
use super::submit::{class, no_job, not_packed, submission, submitted};
use crate::cli::SubmitArgs;
use crate::judging::Submission;
use guardhost_report::{Report, SubmitReport, json};
use host::command::CommandContext;

/// Bytes of standard input: a hundred thousand commits.
const LONGEST: u64 = 8 << 20;
/// Jobs on their way to the queue at once: it answers each question of one job before the next is asked.
const ON_THE_WAY: usize = 64;

/// A line of standard input, and what became of it.
struct SubmittedRange {
    range: String,
    job: std::result::Result<(Job, Option<SubmitAnswer>), Error>,
}

/// A line of JSON for each line: that of `host submit --format json`, with the `range`; or `range` and `error`.
///
/// # Errors
/// Standard input cannot be read; the queue is full or away. What was submitted by then is in the queue.
pub async fn submit(args: &SubmitArgs, ctx: &CommandContext<'_>, submitter: Submitter) -> Result<Vec<u8>> {
    let submitter = Arc::new(submitter);
    let mut lines = send_all(args, ctx, &submitter).await?;
    if lines.is_empty() {
        return Err(Fault::new(FaultKind::Nothing, "standard input names no range")
            .hint("each line is one, as of --range")
            .into());
    }
    let end = Instant::now() + Duration::from_secs(args.wait);
    let mut text = Vec::new();
    for SubmittedRange { range, job } in lines.drain(..) {
        let line = match job {
            Ok((job, None | Some(SubmitAnswer::Waiting))) => {
                let left = end.saturating_duration_since(Instant::now());
                let answer = match left.is_zero() {
                    true => SubmitAnswer::Waiting,
                    false => submitter.wait(&job.id(), left).await.map_err(failed)?,
                };
                line(&range, &job, answer)?
            }
            Ok((job, Some(answer))) => line(&range, &job, answer)?,
            Err(error) => serde_json::json!({ "range": range, "error": format!("{error:#}") }),
        };
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// The jobs are made one after another on this thread, and sent by the others.
async fn send_all(
    args: &SubmitArgs,
    ctx: &CommandContext<'_>,
    submitter: &Arc<Submitter>,
) -> Result<Vec<SubmittedRange>> {
    let repo = ctx.repo()?;
    let packer = Packer::open(repo.common_dir(), &ctx.process.env).map_err(not_packed)?;
    let mut lines = Vec::new();
    let mut sending: JoinSet<(usize, std::result::Result<SubmitAnswer, QueueError>)> = JoinSet::new();
    for line in std::io::Read::take(std::io::stdin().lock(), LONGEST).lines() {
        let range = line.context("cannot read standard input")?.trim().to_owned();
        if range.is_empty() {
            continue;
        }
        let of_range = SubmitArgs { range: Some(range.clone()), stdin: false, ..args.clone() };
        let made = match submission(&repo, &of_range, ctx) {
            Ok(made) => packed(&packer, made, class(args)).await,
            Err(error) => Err(error),
        };
        let job = match made {
            Ok((job, pack)) => {
                let (submitter, job, at) = (Arc::clone(submitter), job.clone(), lines.len());
                let sent = job.clone();
                sending.spawn(async move { (at, send(&submitter, &sent, pack).await) });
                Ok((job, None))
            }
            // One line that is wrong stops no other.
            Err(error) if matches!(kind(&error), FaultKind::Usage | FaultKind::Nothing | FaultKind::Config) => {
                Err(error)
            }
            Err(error) => return Err(error),
        };
        lines.push(SubmittedRange { range, job });
        while sending.len() >= ON_THE_WAY {
            answered(sending.join_next().await, &mut lines)?;
        }
    }
    while !sending.is_empty() {
        answered(sending.join_next().await, &mut lines)?;
    }
    Ok(lines)
}

type Sent = std::result::Result<(usize, std::result::Result<SubmitAnswer, QueueError>), tokio::task::JoinError>;

fn answered(sent: Option<Sent>, lines: &mut [SubmittedRange]) -> Result<()> {
    let Some(sent) = sent else { return Ok(()) };
    let (at, answer) = sent.context("a job could not be sent")?;
    let answer = answer.map_err(failed)?;
    if let Ok((_, known)) = &mut lines[at].job {
        *known = Some(answer);
    }
    Ok(())
}

async fn packed(packer: &Packer<'_>, made: Submission, class: Class) -> Result<(Job, Option<Vec<u8>>)> {
    let Submission { change, remote } = made;
    let pack = packer.pack(&change).await.map_err(not_packed)?;
    let transport = ObjectSource { pack: pack.as_deref().map(objects::name), remote: Some(remote) };
    Ok((Job::new(class, change, transport).map_err(no_job)?, pack))
}

/// The pack first: a worker may have the job a moment later.
async fn send(
    submitter: &Submitter,
    job: &Job,
    pack: Option<Vec<u8>>,
) -> std::result::Result<SubmitAnswer, QueueError> {
    if let Some(pack) = pack {
        submitter.queue.put_object(&pack).await?;
    }
    submitter.submit(job, Duration::ZERO).await
}

fn line(range: &str, job: &Job, answer: SubmitAnswer) -> Result<Value> {
    let report = submitted(job.id().to_string(), job.class.as_str(), answer);
    let report = SubmitReport { range: Some(range.to_owned()), ..report };
    Ok(serde_json::from_slice(&json::render(&Report::Submit(Box::new(report))))?)
}

//! `host submit --stdin`: many ranges over one connection. Each is submitted as soon as its line is read; the answers come in the order of
//! the lines.

use std::io::BufRead as _;
use std::time::{Duration, Instant};

use guardhost_core::error::{Context as _, Error, Fault, FaultKind, Result, kind};
use guardhost_fleet::job::Job;
use guardhost_fleet::submit::{SubmitAnswer, Submitter};
use serde_json::Value;

use super::connection::failed;
use super::submit::{job_in, submitted};
use crate::cli::SubmitArgs;
use guardhost_report::{Report, SubmitReport, json};
use host::command::CommandContext;

/// Bytes of standard input: a hundred thousand commits.
const LONGEST: u64 = 8 << 20;

/// A range that was put into the queue.
struct Sent {
    range: String,
    job: Job,
    answer: SubmitAnswer,
}

/// A line of JSON for each line: that of `host submit --format json`, with the `range`; or `range` and `error`.
///
/// # Errors
/// Standard input cannot be read; the queue is full or away. What was submitted by then is in the queue.
pub async fn submit(args: &SubmitArgs, ctx: &CommandContext<'_>, submitter: Submitter) -> Result<Vec<u8>> {
    let repo = ctx.repo()?;
    let mut sent: Vec<std::result::Result<Sent, (String, Error)>> = Vec::new();
    for line in std::io::Read::take(std::io::stdin().lock(), LONGEST).lines() {
        let range = line.context("cannot read standard input")?.trim().to_owned();
        if range.is_empty() {
            continue;
        }
        let of_range = SubmitArgs { range: Some(range.clone()), stdin: false, ..args.clone() };
        match job_in(&repo, &of_range, ctx, Some(&*submitter.queue)).await {
            Ok(job) => {
                let answer = submitter.submit(&job, Duration::ZERO).await.map_err(failed)?;
                sent.push(Ok(Sent { range, job, answer }));
            }
            // One line that is wrong stops no other.
            Err(error) if matches!(kind(&error), FaultKind::Usage | FaultKind::Nothing | FaultKind::Config) => {
                sent.push(Err((range, error)))
            }
            Err(error) => return Err(error),
        }
    }
    if sent.is_empty() {
        return Err(Fault::new(FaultKind::Nothing, "standard input names no range")
            .hint("each line is one, as of --range")
            .into());
    }
    let end = Instant::now() + Duration::from_secs(args.wait);
    let mut text = Vec::new();
    for each in sent {
        let line = match each {
            Ok(Sent { range, job, answer: SubmitAnswer::Waiting }) => {
                let left = end.saturating_duration_since(Instant::now());
                let answer = match left.is_zero() {
                    true => SubmitAnswer::Waiting,
                    false => submitter.wait(&job.id(), left).await.map_err(failed)?,
                };
                line(&range, &job, answer)?
            }
            Ok(Sent { range, job, answer }) => line(&range, &job, answer)?,
            Err((range, error)) => serde_json::json!({ "range": range, "error": format!("{error:#}") }),
        };
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
    }
    Ok(text)
}

fn line(range: &str, job: &Job, answer: SubmitAnswer) -> Result<Value> {
    let report = submitted(job.id().to_string(), job.class.as_str(), answer);
    let report = SubmitReport { range: Some(range.to_owned()), ..report };
    Ok(serde_json::from_slice(&json::render(&Report::Submit(Box::new(report))))?)
}

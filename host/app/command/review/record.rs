//! The records of a review: its start and its end.

use guardhost_core::change::{RunEnd, RunOutcome};
use guardhost_core::error::{Context as _, Result, kind};
use guardhost_core::vote::Approval;
use guardhost_report::ReviewReport;
use guardhost_report::journal::{Actor, Decision, Object, ObjectBody, Origin, Records, Run, RunCommand};

use super::Reviewing;

impl Reviewing<'_> {
    pub(super) fn record_start(&self, records: &Records, id: &str) -> Result<()> {
        let run = Run {
            command: RunCommand::Review,
            task: self.task.map_or_else(|| "a review".to_owned(), |task| task.text.clone()),
            origin: Origin { part_of: self.parts.part_of.clone(), ..Origin::default() },
            commit: self.candidate.base.map(|oid| oid.to_string()),
            guards: self.critic_ids(),
            ..Run::default()
        };
        records.record(&Object::named(id.to_owned(), ObjectBody::Run(run), Actor::host()))
    }

    pub(super) fn record_end(
        &self,
        records: &Records,
        id: &str,
        report: &ReviewReport,
        done: &Result<()>,
    ) -> Result<()> {
        let (end, rationale) = match (done, &report.approval) {
            (Err(error), _) => (RunEnd::Failed(kind(error)), format!("{error:#}")),
            (Ok(()), Approval::Approved { mean }) => {
                (RunEnd::Result(RunOutcome::NoChange), format!("approved with {mean:.1}"))
            }
            (Ok(()), Approval::Refused { why }) => {
                (RunEnd::Result(RunOutcome::NoChange), format!("not approved: {}", why.text()))
            }
            (Ok(()), Approval::NotAsked(_)) => {
                let what = if report.is_unread() { "no critic could answer" } else { "reviewed" };
                (RunEnd::Result(RunOutcome::NoChange), what.to_owned())
            }
        };
        let micros = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let decision = Decision { rationale: Some(rationale), ..Decision::end_of(id, end, micros) };
        records
            .record(&Object::new(ObjectBody::Decision(decision), Actor::host()))
            .context("cannot record the end of the review")
    }
}

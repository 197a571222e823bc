//! The host's data for one call of a guard, held by the call's store.

use std::collections::BTreeMap;
use std::sync::Arc;

use guard_files::Kinds;
use wasmtime::component::Resource;

use crate::bindings::guardhost::guard::types::{SizeLimit, Unreadable};
use crate::call::log::CallLog;
use crate::call::transcript::CallTranscript;
use crate::call::unanswered::Unanswered;
use crate::drafts::{DescriptionDraft, FindingDraft, ObjectionDraft, PointDraft};
use crate::grant::PathScope;
use crate::judge::change_view::{ChangeView, NoContent};
use crate::limits::{BLOB, GuardStop, Limits, Meter};
use crate::reuse::reads::Reads;
use crate::services::HostServices;
use guardhost_core::change::{CommitInfo, PastRun, PlanStep};
use guardhost_core::stop::StopToken;
use guardhost_toolchain::{BuildReport, TestReport};

/// A guest's handles stand for indices into these lists, which grow until the call ends. What a guest can put into them is counted.
pub struct StoreData {
    /// None for `describe`, which must not depend on any change, and for plans.
    change: Option<Arc<ChangeView>>,
    /// The touched files that the guard sees, as indices into the candidate's files.
    files: Vec<u32>,
    /// The steps under judgement; empty unless a plan is judged.
    pub plan: Vec<PlanStep>,
    /// The id of the guard, where it is called for a change.
    pub guard: String,
    services: HostServices,
    /// The paths that `repo` may show.
    pub repo_scope: PathScope,
    pub meter: Meter,
    /// Time limit of one build or test run.
    pub seconds: u64,
    pub log: CallLog,
    /// What it asked, beyond the touched files.
    pub reads: Reads,
    /// What it was told beyond the change.
    pub transcript: CallTranscript,
    /// The language components that it asked, by name, with their digests.
    pub languages: BTreeMap<String, String>,
    /// What it asked and the host could not find out.
    pub unanswered: Unanswered,
    pub metrics: BTreeMap<String, f64>,
    pub descriptions: Vec<DescriptionDraft>,
    pub findings: Vec<FindingDraft>,
    pub objections: Vec<ObjectionDraft>,
    pub points: Vec<PointDraft>,
    pub commits: Vec<CommitInfo>,
    pub outcomes: Vec<PastRun>,
    pub test_reports: Vec<TestReport>,
    pub build_reports: Vec<BuildReport>,
}

impl StoreData {
    /// For `describe`.
    pub fn without_change(services: HostServices, limits: &Limits, stop: &StopToken) -> Self {
        StoreData {
            change: None,
            files: Vec::new(),
            plan: Vec::new(),
            guard: String::new(),
            services,
            repo_scope: PathScope::default(),
            meter: Meter::new(limits, stop),
            seconds: limits.seconds,
            log: CallLog::default(),
            reads: Reads::default(),
            transcript: CallTranscript::default(),
            languages: BTreeMap::new(),
            unanswered: Unanswered::default(),
            metrics: BTreeMap::new(),
            descriptions: Vec::new(),
            findings: Vec::new(),
            objections: Vec::new(),
            points: Vec::new(),
            commits: Vec::new(),
            outcomes: Vec::new(),
            test_reports: Vec::new(),
            build_reports: Vec::new(),
        }
    }

    /// For `check`. `files` are indices into the candidate's files.
    pub fn for_change(self, change: Arc<ChangeView>, files: Vec<u32>, repo_scope: PathScope) -> Self {
        StoreData { change: Some(change), files, repo_scope, ..self }
    }

    /// By a guard that may ask models.
    pub fn for_guard(self, id: &str) -> Self {
        StoreData { guard: id.to_owned(), ..self }
    }

    /// For `check-plan`.
    pub fn for_plan(self, plan: Vec<PlanStep>) -> Self {
        StoreData { plan, ..self }
    }

    /// The change, for a host call, which is counted.
    pub fn change(&mut self) -> Result<Arc<ChangeView>, GuardStop> {
        self.meter.call()?;
        let change = self.change.clone();
        change.ok_or_else(|| GuardStop::Misuse("it asked about a change where there is none".to_string()))
    }

    /// What the host serves beyond the change; see [`StoreData::consult`].
    pub(super) fn services(&self) -> &HostServices {
        &self.services
    }

    /// What paths are to the repository.
    pub fn kinds(&self) -> &Kinds {
        &self.services.kinds
    }

    pub fn seen(&self) -> &[u32] {
        &self.files
    }

    /// Adds to one of the lists; the handle stands for the index.
    pub fn keep<T, H: 'static>(list: &mut Vec<T>, value: T) -> wasmtime::Result<Resource<H>> {
        let index = u32::try_from(list.len()).map_err(|_| GuardStop::Count("it has too many handles".to_owned()))?;
        list.push(value);
        Ok(Resource::new_own(index))
    }

    /// Only the host makes handles, so the index is in the list.
    pub fn resource<'l, T, H: 'static>(list: &'l [T], handle: &Resource<H>) -> wasmtime::Result<&'l T> {
        Ok(list.get(handle.rep() as usize).ok_or_else(no_such_handle)?)
    }

    pub fn kept_mut<'l, T, H: 'static>(list: &'l mut [T], handle: &Resource<H>) -> wasmtime::Result<&'l mut T> {
        Ok(list.get_mut(handle.rep() as usize).ok_or_else(no_such_handle)?)
    }

    /// Counts content that goes to the guard. The contract has a word for each reason why there is none, except for failures of the host,
    /// which trap.
    pub fn hand_out<C: AsRef<[u8]> + ?Sized>(
        &mut self,
        content: Result<Arc<C>, NoContent>,
    ) -> Result<Result<Arc<C>, Unreadable>, GuardStop> {
        if let Ok(content) = &content {
            self.meter.bytes(content.as_ref().as_ref().len() as u64)?;
        }
        StoreData::counted(content)
    }

    /// The same for content that is counted already.
    pub fn counted<C: ?Sized>(content: Result<Arc<C>, NoContent>) -> Result<Result<Arc<C>, Unreadable>, GuardStop> {
        match content {
            Ok(content) => Ok(Ok(content)),
            Err(NoContent::Absent) => Ok(Err(Unreadable::Absent)),
            Err(NoContent::NotText(why)) => Ok(Err(Unreadable::NotText(why))),
            Err(NoContent::TooLarge(size)) => Ok(Err(Unreadable::TooLarge(SizeLimit { size, limit: BLOB }))),
            Err(NoContent::Stop(stop)) => Err(stop),
        }
    }
}

fn no_such_handle() -> GuardStop {
    GuardStop::Misuse("it used a handle that it does not have".to_owned())
}

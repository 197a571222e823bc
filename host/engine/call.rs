//! What one call of a guard holds on the host's side: the data of its store.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::{Case, Unread};
use super::limits::{BLOB, Limits, Meter, Stop};
use super::services::HostServices;
use super::{bindings::change::Unreadable, journal::Log};

pub struct Call {
    /// None while a guard describes itself: it must not depend on any change.
    case: Option<Arc<Case>>,
    /// The touched files that concern the guard, as indices into the candidate's.
    files: Vec<usize>,
    pub services: HostServices,
    pub meter: Meter,
    /// Of one build or test run.
    pub seconds: u64,
    pub log: Log,
    pub metrics: BTreeMap<String, f64>,
}

impl Call {
    pub fn new(case: Arc<Case>, files: Vec<usize>, services: HostServices, limits: &Limits) -> Self {
        Call { case: Some(case), files, ..Call::without_case(services, limits) }
    }

    /// For `describe`, and for plans.
    pub fn without_case(services: HostServices, limits: &Limits) -> Self {
        Call {
            case: None,
            files: Vec::new(),
            services,
            meter: Meter::new(limits),
            seconds: limits.seconds,
            log: Log::default(),
            metrics: BTreeMap::new(),
        }
    }

    /// Every question about the change begins here, and is counted.
    pub fn ask(&mut self) -> Result<Arc<Case>, Stop> {
        self.meter.call()?;
        let case = self.case.clone();
        case.ok_or_else(|| Stop::Misuse("it asked about a change where there is none".to_string()))
    }

    pub fn seen(&self) -> &[usize] {
        &self.files
    }

    /// The candidate's number of a file that the guard names by its own.
    pub fn file(&self, index: u32) -> Result<usize, Stop> {
        let file = usize::try_from(index).ok().and_then(|index| self.files.get(index));
        file.copied().ok_or_else(|| Stop::Misuse(format!("it asked for file {index} of {}", self.files.len())))
    }

    /// Content on its way to the guard: counted, and what cannot be told as an answer is a trap.
    pub fn hand_out<C: AsRef<[u8]> + ?Sized>(
        &mut self,
        content: Result<Arc<C>, Unread>,
    ) -> Result<Result<Arc<C>, Unreadable>, Stop> {
        match content {
            Ok(content) => {
                self.meter.bytes(content.as_ref().as_ref().len() as u64)?;
                Ok(Ok(content))
            }
            Err(Unread::Absent) => Ok(Err(Unreadable::Absent)),
            Err(Unread::NotText(why)) => Ok(Err(Unreadable::NotText(why))),
            Err(Unread::TooLarge(size)) => Ok(Err(Unreadable::TooLarge((size, BLOB)))),
            Err(Unread::Stop(stop)) => Err(stop),
        }
    }
}

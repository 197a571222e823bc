//! The host's data for one call of a guard, held by the call's store.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bindings::change::Unreadable;
use crate::call::log::Log;
use crate::judge::change_view::{ChangeView, NoContent};
use crate::limits::{BLOB, Limits, Meter, Stop};
use crate::services::HostServices;

pub struct StoreData {
    /// None for `describe`, which must not depend on any change, and for plans.
    change: Option<Arc<ChangeView>>,
    /// The touched files that the guard sees, as indices into the candidate's files.
    files: Vec<usize>,
    pub services: HostServices,
    pub meter: Meter,
    /// Time limit of one build or test run.
    pub seconds: u64,
    pub log: Log,
    pub metrics: BTreeMap<String, f64>,
}

impl StoreData {
    pub fn new(change: Arc<ChangeView>, files: Vec<usize>, services: HostServices, limits: &Limits) -> Self {
        StoreData { change: Some(change), files, ..StoreData::without_change(services, limits) }
    }

    /// For `describe`, and for plans.
    pub fn without_change(services: HostServices, limits: &Limits) -> Self {
        StoreData {
            change: None,
            files: Vec::new(),
            services,
            meter: Meter::new(limits),
            seconds: limits.seconds,
            log: Log::default(),
            metrics: BTreeMap::new(),
        }
    }

    /// The change, for a host call, which is counted.
    pub fn change(&mut self) -> Result<Arc<ChangeView>, Stop> {
        self.meter.call()?;
        let change = self.change.clone();
        change.ok_or_else(|| Stop::Misuse("it asked about a change where there is none".to_string()))
    }

    pub fn seen(&self) -> &[usize] {
        &self.files
    }

    /// Translates the guard's index of a file into the candidate's.
    pub fn file(&self, index: u32) -> Result<usize, Stop> {
        let file = usize::try_from(index).ok().and_then(|index| self.files.get(index));
        file.copied().ok_or_else(|| Stop::Misuse(format!("it asked for file {index} of {}", self.files.len())))
    }

    /// Counts content that goes to the guard. The contract has a word for each reason why there is none, except for failures of the host,
    /// which trap.
    pub fn hand_out<C: AsRef<[u8]> + ?Sized>(
        &mut self,
        content: Result<Arc<C>, NoContent>,
    ) -> Result<Result<Arc<C>, Unreadable>, Stop> {
        match content {
            Ok(content) => {
                self.meter.bytes(content.as_ref().as_ref().len() as u64)?;
                Ok(Ok(content))
            }
            Err(NoContent::Absent) => Ok(Err(Unreadable::Absent)),
            Err(NoContent::NotText(why)) => Ok(Err(Unreadable::NotText(why))),
            Err(NoContent::TooLarge(size)) => Ok(Err(Unreadable::TooLarge((size, BLOB)))),
            Err(NoContent::Stop(stop)) => Err(stop),
        }
    }
}

//! The answers of one set's calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{TextReading, TextSubject};
use crate::limits::GuardStop;

/// Bytes of all answers together. When there are more, all are forgotten: those on disk are read again.
const MOST: u64 = 64 << 20;

/// Bytes that an entry costs beside its answer, about.
const ENTRY: u64 = 256;

/// An answer, or its place while one thread makes it.
type Slot = Arc<Mutex<Option<Arc<TextReading>>>>;

#[derive(Default)]
pub struct ReadingMemory(Mutex<Slots>);

#[derive(Default)]
struct Slots {
    by_subject: HashMap<TextSubject, Slot>,
    bytes: u64,
}

impl ReadingMemory {
    /// Failures are not kept.
    pub fn get(
        &self,
        subject: &TextSubject,
        make: impl FnOnce() -> Result<TextReading, GuardStop>,
    ) -> Result<Arc<TextReading>, GuardStop> {
        let slots = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots().by_subject.entry(subject.clone()).or_default().clone();
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*slot {
            return Ok(known.clone());
        }
        let made = Arc::new(make()?);
        *slot = Some(made.clone());
        let mut slots = slots();
        slots.bytes += ENTRY + made.size;
        if slots.bytes > MOST {
            *slots = Slots::default();
        }
        Ok(made)
    }
}

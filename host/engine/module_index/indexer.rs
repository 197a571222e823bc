//! Runs the indexer: each text in a fresh instance, under limits of its own.

use std::pin::pin;
use std::sync::OnceLock;

use wasmtime::component::{ComponentNamedList, InstancePre, Lift, Linker};
use wasmtime::{Error, Store};

use super::bindings::exports::guardhost::indexer::index::{Signatures, Surface};
use super::{Answer, Question, Subject};
use crate::call::slices::{SLICE, in_slices};
use crate::embedded::EmbeddedIndexer;
use crate::failure::{Failure, machine_lack};
use crate::limits::{Limits, Meter, Stop};
use crate::load::in_place;
use guardhost_core::stop::StopToken;

/// For a text of a few bytes; longer ones get more, as the calls of guards do.
const LIMITS: Limits = Limits { fuel: 1_000_000_000, memory: 64 << 20, seconds: 0 };

/// Bytes of one answer.
const ANSWER: usize = 16 << 20;

const INTERFACE: &str = "guardhost:indexer/index";

pub struct Indexer {
    embedded: &'static EmbeddedIndexer,
    linked: OnceLock<Result<InstancePre<Meter>, Failure>>,
}

impl Indexer {
    pub fn new(embedded: &'static EmbeddedIndexer) -> Self {
        Indexer { embedded, linked: OnceLock::new() }
    }

    /// The answer, and the fuel that it took. A text that makes the indexer fail says nothing.
    pub fn read(&self, subject: &Subject, text: &str, stop: &StopToken) -> Result<(Answer, u64), Stop> {
        let linked = self.linked.get_or_init(|| link(self.embedded)).as_ref();
        let linked = linked.map_err(|failure| Stop::Machine(failure.message.clone()))?;
        let (dialect, limits) = (subject.dialect.as_str(), LIMITS.for_bytes(text.len() as u64));
        let mut store = Store::new(linked.component().engine(), Meter::new(&limits, stop));
        // Fails only in an engine without fuel. Nothing would run then, because a store starts with none.
        let _ = store.set_fuel(limits.fuel);
        let answer = match subject.question {
            Question::Surface => ask::<Surface>(linked, &mut store, "read-surface", dialect, text).map(Answer::Surface),
            Question::Signatures => {
                ask::<Signatures>(linked, &mut store, "read-signatures", dialect, text).map(Answer::Signatures)
            }
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(Asked::Nothing(why)) => Answer::Nothing(why),
            Err(Asked::Failed(error)) => unread(&error)?,
        };
        Ok((answer, limits.fuel - store.get_fuel().unwrap_or(0)))
    }
}

fn link(embedded: &'static EmbeddedIndexer) -> Result<InstancePre<Meter>, Failure> {
    let component = in_place::embedded(&embedded.compiled)?;
    // It imports nothing but types.
    let linked = Linker::new(component.engine()).instantiate_pre(&component);
    linked.map_err(|error| Failure::engine(&error))
}

/// Why there is no answer.
enum Asked {
    /// As the indexer says.
    Nothing(String),
    Failed(Error),
}

impl From<Error> for Asked {
    fn from(error: Error) -> Self {
        Asked::Failed(error)
    }
}

fn ask<T>(
    linked: &InstancePre<Meter>,
    store: &mut Store<Meter>,
    function: &str,
    dialect: &str,
    text: &str,
) -> Result<T, Asked>
where
    T: Lift + Send + Sync + 'static,
    (Result<T, String>,): ComponentNamedList,
{
    store.limiter(|meter| meter);
    store.set_hostcall_fuel(ANSWER);
    store.fuel_async_yield_interval(Some(SLICE))?;
    let watch = store.data().watch().clone();
    let component = linked.component();
    let found = component.get_export_index(None, INTERFACE);
    let found = found.and_then(|interface| component.get_export_index(Some(&interface), function));
    let found = found.ok_or_else(|| Error::msg(format!("the indexer has no `{function}`")))?;
    let call = async {
        let instance = linked.instantiate_async(&mut *store).await?;
        let typed = instance.get_typed_func::<(&str, &str), (Result<T, String>,)>(&mut *store, found)?;
        typed.call_async(&mut *store, (dialect, text)).await
    };
    let (answer,) = in_slices(pin!(call), &watch)?;
    answer.map_err(Asked::Nothing)
}

/// Errors: not the text's fault.
fn unread(error: &Error) -> Result<Answer, Stop> {
    match error.downcast_ref::<Stop>() {
        Some(stop @ (Stop::Ended(_) | Stop::Machine(_))) => Err(stop.clone()),
        Some(stop) => Ok(Answer::Nothing(format!("the indexer failed on it: {stop}"))),
        None => match machine_lack(error) {
            Some(why) => Err(Stop::Machine(why)),
            None => Ok(Answer::Nothing(format!("the indexer failed on it: {}", error.root_cause()))),
        },
    }
}

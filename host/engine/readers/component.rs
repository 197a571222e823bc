//! Runs a language component: each text in a fresh instance, under limits of its own.

use std::fmt;
use std::pin::pin;
use std::sync::OnceLock;

use wasmtime::component::{Component, ComponentNamedList, InstancePre, Lift, Linker, Lower};
use wasmtime::{Error, Store};

use super::bindings::exports::guardhost::language::reader::{self, Claim, Questions};
use super::{NoFacts, TextAnswers, TextQuestions, TextSubject};
use crate::call::instantiate::instantiate;
use crate::call::slices::{SLICE, in_slices};
use crate::embedded::EmbeddedReader;
use crate::failure::{GuardFailure, machine_lack};
use crate::limits::{GuardStop, Limits, Meter};
use crate::load::in_place;
use guardhost_core::stop::StopToken;

/// For a text of a few bytes; longer ones get more, as the calls of guards do. As much as a guard gets: one reading answers what several
/// guards ask, and the dearest (all names of 2 MB of Rust) takes more than half of that (`hostile/sizes.rs`).
const LIMITS: Limits = Limits { fuel: 2_000_000_000, memory: 64 << 20, seconds: 0 };

/// Bytes of one answer.
const ANSWER: usize = 16 << 20;

const INTERFACE: &str = "guardhost:language/reader@0.1.0";

/// What it took to read a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadingCost {
    pub fuel: u64,
    /// Peak of linear memory, in bytes.
    pub memory: u64,
}

impl ReadingCost {
    /// That of two instances, one after the other.
    fn and(self, other: ReadingCost) -> ReadingCost {
        ReadingCost { fuel: self.fuel.saturating_add(other.fuel), memory: self.memory.max(other.memory) }
    }
}

pub enum ReaderComponent {
    /// Loaded when the first text is read.
    Embedded(&'static EmbeddedReader, OnceLock<Result<InstancePre<Meter>, GuardFailure>>),
    /// Its claims were asked for already.
    Pinned(InstancePre<Meter>),
}

impl ReaderComponent {
    pub fn embedded(embedded: &'static EmbeddedReader) -> Self {
        ReaderComponent::Embedded(embedded, OnceLock::new())
    }

    /// With what it claims.
    ///
    /// # Errors
    /// It does not fit the contract, or fails.
    pub fn pinned(component: &Component, stop: &StopToken) -> Result<(Self, Vec<Claim>), GuardFailure> {
        let linked = linked(component)?;
        let mut store = store(&linked, &LIMITS, stop);
        let claims = call::<(), (Vec<Claim>,)>(&linked, &mut store, "claims", ());
        let other = claims.as_ref().err().and_then(|error| error.downcast_ref::<OtherContract>());
        if let Some(other) = other {
            return Err(GuardFailure::new("bad-export", other.to_string()));
        }
        let (claims,) = claims.map_err(|error| match failed(&error) {
            Ok(why) => GuardFailure::new("bad-export", format!("the language does not say what it reads: {why}")),
            Err(GuardStop::Machine(why)) => GuardFailure::machine(why),
            Err(stop) => GuardFailure::new("stopped", stop.to_string()),
        })?;
        Ok((ReaderComponent::Pinned(linked), claims))
    }

    fn linked(&self) -> Result<&InstancePre<Meter>, GuardFailure> {
        match self {
            ReaderComponent::Pinned(linked) => Ok(linked),
            ReaderComponent::Embedded(embedded, slot) => {
                let link = || linked(&in_place::embedded(&embedded.compiled)?);
                slot.get_or_init(link).as_ref().map_err(GuardFailure::clone)
            }
        }
    }

    /// The answers, and what they took. A text on which the component fails is read once more for each question, so that one of
    /// them does not take the others' answers with it; what it fails on even so has none.
    pub fn read(
        &self,
        subject: &TextSubject,
        text: &str,
        stop: &StopToken,
    ) -> Result<(TextAnswers, ReadingCost), GuardStop> {
        let linked = self.linked().map_err(|failure| GuardStop::Machine(failure.message))?;
        let ask = |wanted| once(linked, subject, wanted, text, stop);
        let (why, mut used) = match ask(subject.wanted)? {
            (Ok(answers), used) => return Ok((answers, used)),
            (Err(why), used) => (why, used),
        };
        let each: Vec<TextQuestions> = subject.wanted.each().collect();
        if each.len() == 1 {
            return Ok((TextAnswers::unanswered(subject.wanted, &NoFacts::Failed(why)), used));
        }
        let mut answers = TextAnswers::default();
        for wanted in each {
            let (one, took) = ask(wanted)?;
            used = used.and(took);
            answers = answers.or(one.unwrap_or_else(|why| TextAnswers::unanswered(wanted, &NoFacts::Failed(why))));
        }
        Ok((answers, used))
    }
}

fn linked(component: &Component) -> Result<InstancePre<Meter>, GuardFailure> {
    // It imports nothing but types.
    let linked = Linker::new(component.engine()).instantiate_pre(component);
    linked.map_err(|error| GuardFailure::engine(&error))
}

fn store(linked: &InstancePre<Meter>, limits: &Limits, stop: &StopToken) -> Store<Meter> {
    let mut store = Store::new(linked.component().engine(), Meter::new(limits, stop));
    store.limiter(|meter| meter);
    store.set_hostcall_fuel(ANSWER);
    // Fails only in an engine without fuel. Nothing would run then, because a store starts with none.
    let _ = store.set_fuel(limits.fuel);
    let _ = store.fuel_async_yield_interval(Some(SLICE));
    store
}

/// What one instance answers, or how the component fails on the text; and what that took. Errors: not the text's fault.
fn once(
    linked: &InstancePre<Meter>,
    subject: &TextSubject,
    wanted: TextQuestions,
    text: &str,
    stop: &StopToken,
) -> Result<(Result<TextAnswers, String>, ReadingCost), GuardStop> {
    let limits = LIMITS.for_bytes(text.len() as u64);
    let mut store = store(linked, &limits, stop);
    let source = reader::Source {
        language: subject.claimed.language.to_string(),
        dialect: subject.claimed.dialect.clone(),
        is_test: subject.is_test,
        text: text.to_owned(),
    };
    let reading = call::<(&reader::Source, Questions), (reader::Reading,)>;
    let answers = match reading(linked, &mut store, "read", (&source, wanted.into())).map(|(reading,)| reading) {
        Ok(reading) => Ok(TextAnswers::from(reading).about(text, wanted)),
        Err(error) => Err(failed(&error)?),
    };
    let fuel = limits.fuel - store.get_fuel().unwrap_or(0);
    Ok((answers, ReadingCost { fuel, memory: store.data().memory() }))
}

/// What a component exports is not what this version of the contract says: it was built for another one.
#[derive(Debug)]
struct OtherContract(String);

impl fmt::Display for OtherContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherContract(why) = self;
        write!(f, "it was built for another state of {INTERFACE} ({why}): build it again with the SDK of this host")
    }
}

impl std::error::Error for OtherContract {}

/// Calls a function of the reader, in an instance of its own.
fn call<P, R>(linked: &InstancePre<Meter>, store: &mut Store<Meter>, function: &str, params: P) -> Result<R, Error>
where
    P: ComponentNamedList + Lower + Send + Sync,
    R: ComponentNamedList + Lift + 'static,
{
    let watch = store.data().watch().clone();
    let component = linked.component();
    let found = component.get_export_index(None, INTERFACE);
    let found = found.and_then(|interface| component.get_export_index(Some(&interface), function));
    let found = found.ok_or_else(|| Error::msg(format!("the component has no `{function}` of {INTERFACE}")))?;
    let call = async {
        let instance = instantiate(linked, store).await?;
        let typed = instance.get_typed_func::<P, R>(&mut *store, found);
        let typed = typed.map_err(|error| Error::from(OtherContract(error.root_cause().to_string())))?;
        typed.call_async(&mut *store, params).await
    };
    in_slices(pin!(call), &watch)
}

impl From<reader::Reading> for TextAnswers {
    fn from(reader::Reading { problems, outline, surface, signatures, names }: reader::Reading) -> Self {
        TextAnswers {
            problems: problems.map(|answer| answer.map_err(NoFacts::Unread)),
            outline: outline.map(|answer| answer.map_err(NoFacts::Unread)),
            surface: surface.map(|answer| answer.map_err(NoFacts::Unread)),
            signatures: signatures.map(|answer| answer.map_err(NoFacts::Unread)),
            names: names.map(|answer| answer.map_err(NoFacts::Unread)),
        }
    }
}

/// How the component fails on a text. Errors: not the text's fault.
fn failed(error: &Error) -> Result<String, GuardStop> {
    match error.downcast_ref::<GuardStop>() {
        Some(stop @ (GuardStop::Ended(_) | GuardStop::Machine(_))) => Err(stop.clone()),
        Some(stop) => Ok(format!("its reader failed on it: {stop}")),
        None => match machine_lack(error) {
            Some(why) => Err(GuardStop::Machine(why)),
            None => Ok(format!("its reader failed on it: {}", error.root_cause())),
        },
    }
}

//! Runs a language component: each text in a fresh instance, under limits of its own.

use std::pin::pin;
use std::sync::OnceLock;

use wasmtime::component::{InstancePre, Linker};
use wasmtime::{Error, Store};

use super::bindings::exports::guardhost::language::reader::{self, Questions};
use super::{NoFacts, TextAnswers, TextQuestions, TextSubject};
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

pub struct ReaderComponent {
    embedded: &'static EmbeddedReader,
    linked: OnceLock<Result<InstancePre<Meter>, GuardFailure>>,
}

impl ReaderComponent {
    pub fn new(embedded: &'static EmbeddedReader) -> Self {
        ReaderComponent { embedded, linked: OnceLock::new() }
    }

    /// The answers, and the fuel that they took. A text on which the component fails is read once more for each question, so that one of
    /// them does not take the others' answers with it; what it fails on even so has none.
    pub fn read(&self, subject: &TextSubject, text: &str, stop: &StopToken) -> Result<(TextAnswers, u64), GuardStop> {
        let linked = self.linked.get_or_init(|| link(self.embedded)).as_ref();
        let linked = linked.map_err(|failure| GuardStop::Machine(failure.message.clone()))?;
        let ask = |wanted| once(linked, subject, wanted, text, stop);
        let (why, mut fuel) = match ask(subject.wanted)? {
            (Ok(answers), fuel) => return Ok((answers, fuel)),
            (Err(why), fuel) => (why, fuel),
        };
        let each: Vec<TextQuestions> = subject.wanted.each().collect();
        if each.len() == 1 {
            return Ok((TextAnswers::of_none(subject.wanted, &NoFacts::Failed(why)), fuel));
        }
        let mut answers = TextAnswers::default();
        for wanted in each {
            let (one, took) = ask(wanted)?;
            fuel = fuel.saturating_add(took);
            answers = answers.or(one.unwrap_or_else(|why| TextAnswers::of_none(wanted, &NoFacts::Failed(why))));
        }
        Ok((answers, fuel))
    }
}

fn link(embedded: &'static EmbeddedReader) -> Result<InstancePre<Meter>, GuardFailure> {
    let component = in_place::embedded(&embedded.compiled)?;
    // It imports nothing but types.
    let linked = Linker::new(component.engine()).instantiate_pre(&component);
    linked.map_err(|error| GuardFailure::engine(&error))
}

/// What one instance answers, or how the component fails on the text; and the fuel. Errors: not the text's fault.
fn once(
    linked: &InstancePre<Meter>,
    subject: &TextSubject,
    wanted: TextQuestions,
    text: &str,
    stop: &StopToken,
) -> Result<(Result<TextAnswers, String>, u64), GuardStop> {
    let limits = LIMITS.for_bytes(text.len() as u64);
    let mut store = Store::new(linked.component().engine(), Meter::new(&limits, stop));
    // Fails only in an engine without fuel. Nothing would run then, because a store starts with none.
    let _ = store.set_fuel(limits.fuel);
    let answers = match called(linked, &mut store, subject, wanted, text) {
        Ok(reading) => Ok(TextAnswers::from(reading)),
        Err(error) => Err(failed(&error)?),
    };
    Ok((answers, limits.fuel - store.get_fuel().unwrap_or(0)))
}

fn called(
    linked: &InstancePre<Meter>,
    store: &mut Store<Meter>,
    subject: &TextSubject,
    wanted: TextQuestions,
    text: &str,
) -> Result<reader::Reading, Error> {
    store.limiter(|meter| meter);
    store.set_hostcall_fuel(ANSWER);
    store.fuel_async_yield_interval(Some(SLICE))?;
    let watch = store.data().watch().clone();
    let component = linked.component();
    let found = component.get_export_index(None, INTERFACE);
    let found = found.and_then(|interface| component.get_export_index(Some(&interface), "read"));
    let found = found.ok_or_else(|| Error::msg("the component has no `read`"))?;
    let source = reader::Source {
        language: subject.claimed.language.to_owned(),
        dialect: subject.claimed.dialect.clone(),
        is_test: subject.is_test,
        text: text.to_owned(),
    };
    let call = async {
        let instance = linked.instantiate_async(&mut *store).await?;
        let typed = instance.get_typed_func::<(&reader::Source, Questions), (reader::Reading,)>(&mut *store, found)?;
        typed.call_async(&mut *store, (&source, wanted.into())).await
    };
    let (reading,) = in_slices(pin!(call), &watch)?;
    Ok(reading)
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

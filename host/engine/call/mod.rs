//! Calls a guard: each call has a fresh store and an instance of the pre-linked component, dropped after it.

mod consult;
pub mod instantiate;
pub mod log;
pub mod slices;
pub mod store_data;
pub mod transcript;
mod unanswered;
pub mod verdict;

use std::collections::BTreeMap;
use std::pin::pin;

use wasmtime::component::{ComponentNamedList, InstancePre, Lift, Lower, Resource};
use wasmtime::{Error, Store, Trap};

use crate::bindings::exports::guardhost::analysis::measure::{Measurement, Metric};
use crate::bindings::exports::guardhost::guard::judge::Verdict;
use crate::call::instantiate::instantiate;
use crate::call::slices::{SLICE, in_slices};
use crate::call::store_data::StoreData;
use crate::call::transcript::CallTranscript;
use crate::call::unanswered::Unanswered;
use crate::call::verdict::StepObjection;
use crate::describe::Description;
use crate::drafts::PointDraft;
use crate::failure::{GuardFailure, machine_lack};
use crate::handles::{DescriptionHandle, ObjectionHandle};
use crate::judge::change_view::ChangeView;
use crate::limits::{GuardStop, HostWork, Limits, OUTPUT};
use crate::load::component_record::Used;
use crate::reuse::reads::Reads;
use crate::services::HostServices;
use crate::text::escape::escape;
use guardhost_core::change::{Basis, Failed, GuardVerdict, LogLine};
use guardhost_core::machine::MACHINE;
use guardhost_core::stop::StopToken;

/// The result of one call, or of none.
pub struct CallOutcome {
    pub verdict: GuardVerdict,
    pub fuel: u64,
    /// Peak of linear memory, in bytes.
    pub memory: u64,
    pub host_work: HostWork,
    pub metrics: BTreeMap<String, f64>,
    pub log: Vec<LogLine>,
    pub reads: Reads,
    pub basis: Basis,
}

impl CallOutcome {
    fn new(verdict: GuardVerdict, store: Store<StoreData>, limits: &Limits) -> Self {
        let fuel = limits.fuel - store.get_fuel().unwrap_or(0);
        let call = store.into_data();
        let (memory, host_work) = (call.meter.memory(), call.meter.host_work());
        let (task, commits) = call.reads.request_reads();
        let CallTranscript { answers, not_recorded, .. } = call.transcript;
        CallOutcome {
            verdict,
            fuel,
            memory,
            host_work,
            metrics: call.metrics,
            log: call.log.finish(),
            reads: call.reads,
            basis: Basis { task, commits, languages: call.languages, answers, not_recorded },
        }
    }

    pub fn without_call(verdict: GuardVerdict) -> Self {
        let host_work = HostWork::default();
        let (metrics, log, reads) = (BTreeMap::new(), Vec::new(), Reads::default());
        let basis = Basis::default();
        CallOutcome { verdict, fuel: 0, memory: 0, host_work, metrics, log, reads, basis }
    }
}

/// In a replay: a guard asked what no answer is recorded of.
pub const NOT_RECORDED: &str = "not-recorded";

/// Bytes of a guard's own error message.
const REASON: usize = 2_000;

/// An exported function, by its interface. A component may export a later compatible version.
struct Export {
    interface: &'static str,
    function: &'static str,
}

const DESCRIBE: Export = Export { interface: "guardhost:guard/metadata@0.1.0", function: "describe" };
const CHECK: Export = Export { interface: "guardhost:guard/judge@0.1.0", function: "check" };
const CHECK_PLAN: Export = Export { interface: "guardhost:plan/review@0.1.0", function: "check-plan" };
const METRICS: Export = Export { interface: "guardhost:analysis/measure@0.1.0", function: "metrics" };
const MEASURE: Export = Export { interface: "guardhost:analysis/measure@0.1.0", function: "measure" };

/// Calls `check`.
pub fn check(
    pre: &InstancePre<StoreData>,
    change: &ChangeView,
    description: &Description,
    call: StoreData,
    limits: &Limits,
    settings: &str,
) -> CallOutcome {
    let mut store = store(pre, call, limits);
    let answer = invoke::<_, (Result<Verdict, String>,)>(pre, &mut store, &CHECK, (settings,));
    let verdict = match answer {
        Ok((Ok(verdict),)) => {
            let data = store.data_mut();
            let drafts = std::mem::take(&mut data.findings);
            let checked = verdict::checked(verdict, drafts, change, description, &mut data.log);
            let checked = checked.unwrap_or_else(|error| error);
            store.data().unanswered.verdict(checked)
        }
        Ok((Err(reason),)) => failed(store.data().unanswered.code_of_error(), escape(&reason, REASON)),
        Err(error) => classify(&error),
    };
    CallOutcome::new(verdict, store, limits)
}

/// Calls `check-plan`: which steps the guard would drop.
pub fn check_plan(
    pre: &InstancePre<StoreData>,
    call: StoreData,
    limits: &Limits,
    settings: &str,
) -> (CallOutcome, Vec<StepObjection>) {
    let mut store = store(pre, call, limits);
    let answer =
        invoke::<_, (Result<Vec<Resource<ObjectionHandle>>, String>,)>(pre, &mut store, &CHECK_PLAN, (settings,));
    let said = match answer {
        Ok((Ok(objections),)) => verdict::objections(&objections, store.data()),
        Ok((Err(reason),)) => Err(failed(store.data().unanswered.code_of_error(), escape(&reason, REASON))),
        Err(error) => Err(classify(&error)),
    };
    let (verdict, objections) = match said {
        Ok(objections) => (verdict::from_plan(&objections), objections),
        Err(verdict) => (verdict, Vec::new()),
    };
    (CallOutcome::new(verdict, store, limits), objections)
}

/// Calls `metrics` of an analyzer. Err: its error.
pub fn metrics(pre: &InstancePre<StoreData>, call: StoreData, limits: &Limits) -> Result<Vec<Metric>, GuardVerdict> {
    let answer = invoke::<(), (Vec<Metric>,)>(pre, &mut store(pre, call, limits), &METRICS, ());
    answer.map(|(metrics,)| metrics).map_err(|error| classify(&error))
}

/// Calls `measure` of an analyzer: its answer, every point that it began, and what it was not told. Err: its error.
pub fn measure(
    pre: &InstancePre<StoreData>,
    call: StoreData,
    limits: &Limits,
    metric: &str,
    settings: &str,
) -> Result<(Measurement, Vec<PointDraft>, Unanswered), GuardVerdict> {
    let mut store = store(pre, call, limits);
    match invoke::<_, (Result<Measurement, String>,)>(pre, &mut store, &MEASURE, (metric, settings)) {
        Ok((Ok(measurement),)) => {
            let call = store.into_data();
            Ok((measurement, call.points, call.unanswered))
        }
        Ok((Err(reason),)) => Err(failed(store.data().unanswered.code_of_error(), escape(&reason, REASON))),
        Err(error) => Err(classify(&error)),
    }
}

/// Calls `describe`, under the same limits and without a change.
pub fn describe(
    pre: &InstancePre<StoreData>,
    limits: &Limits,
    stop: &StopToken,
) -> Result<(Description, Used), GuardFailure> {
    let mut store = store(pre, StoreData::without_change(HostServices::default(), limits, stop), limits);
    let answer = invoke::<(), (Resource<DescriptionHandle>,)>(pre, &mut store, &DESCRIBE, ());
    let failed = |error: Error| GuardFailure::from_describe(classify(&error));
    let (description,) = answer.map_err(failed)?;
    let drafts = &mut store.data_mut().descriptions;
    let draft = StoreData::kept_mut(drafts, &description).map_err(failed)?;
    let description = std::mem::take(draft).try_into()?;
    let used = Used { fuel: limits.fuel - store.get_fuel().unwrap_or(0), memory: store.data().meter.memory() };
    Ok((description, used))
}

fn store(pre: &InstancePre<StoreData>, call: StoreData, limits: &Limits) -> Store<StoreData> {
    let mut store = Store::new(pre.engine(), call);
    store.limiter(|call| &mut call.meter);
    store.set_hostcall_fuel(OUTPUT);
    // Fails only in an engine without fuel. Nothing would run then, because a store starts with none.
    let _ = store.set_fuel(limits.fuel);
    let _ = store.fuel_async_yield_interval(Some(SLICE));
    store
}

fn invoke<P, R>(
    pre: &InstancePre<StoreData>,
    store: &mut Store<StoreData>,
    export: &Export,
    params: P,
) -> wasmtime::Result<R>
where
    P: ComponentNamedList + Lower + Send + Sync,
    R: ComponentNamedList + Lift + 'static,
{
    let Export { interface, function } = export;
    let component = pre.component();
    let found = component.get_export_index(None, interface);
    let found = found.and_then(|interface| component.get_export_index(Some(&interface), function));
    let Some(found) = found else {
        return Err(GuardStop::Export(format!("it does not export `{function}` of `{interface}`")).into());
    };
    let watch = store.data().meter.watch().clone();
    watch.check().map_err(GuardStop::Ended)?;
    let call = async {
        let instance = instantiate(pre, store).await?;
        let typed = instance.get_typed_func::<P, R>(&mut *store, found);
        let wrong = |error: Error| {
            GuardStop::Export(format!(
                "its export `{function}` of `{interface}` is not as the contract says: {error:#}"
            ))
        };
        typed.map_err(wrong)?.call_async(&mut *store, params).await
    };
    in_slices(pin!(call), &watch)
}

fn failed(code: &'static str, message: String) -> GuardVerdict {
    GuardVerdict::Error { code, message, failed: Failed::Run }
}

/// The error of a call as a failure to run. Traps are recognised by their type; an error without a type comes from decoding the guard's
/// result.
fn classify(error: &Error) -> GuardVerdict {
    if let Some(stop) = error.downcast_ref::<GuardStop>() {
        let (code, part) = match stop {
            GuardStop::Memory(_) => ("out-of-memory", Failed::Run),
            GuardStop::Count(_) => ("host-limit", Failed::Run),
            GuardStop::Output(_) => ("output-limit", Failed::Run),
            GuardStop::Misuse(_) => ("bad-call", Failed::Run),
            GuardStop::Export(_) => ("bad-export", Failed::Run),
            GuardStop::Repository(_) => ("repository", Failed::Machine),
            GuardStop::PartialClone(_) => ("partial-clone", Failed::PartialClone),
            GuardStop::Toolchain(_) => ("toolchain", Failed::Run),
            GuardStop::Machine(_) => (MACHINE, Failed::Machine),
            GuardStop::NotRecorded(_) => (NOT_RECORDED, Failed::Machine),
            GuardStop::Ended(stopped) => (stopped.code(), Failed::Run),
        };
        return GuardVerdict::Error { code, message: stop.to_string(), failed: part };
    }
    let code = match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => {
            let message = "it ran longer than its fuel allows; raise `fuel` in its limits if it is right to";
            return failed("out-of-fuel", message.to_owned());
        }
        Some(Trap::StackOverflow) => {
            return failed("stack-overflow", "it recursed deeper than its stack allows".to_owned());
        }
        Some(
            Trap::StringOutOfBounds
            | Trap::ListOutOfBounds
            | Trap::InvalidDiscriminant
            | Trap::InvalidChar
            | Trap::UnalignedPointer,
        ) => "bad-output",
        Some(_) => "trap",
        // Recognised by its text, because wasmtime gives it no type: see `Store::set_hostcall_fuel`.
        None if format!("{error:#}").contains("fuel allocated for hostcalls has been exhausted") => {
            return failed("output-limit", format!("it said more than {} MiB at once", OUTPUT >> 20));
        }
        None => match machine_lack(error) {
            Some(why) => return GuardFailure::machine(why).verdict(),
            None => "bad-output",
        },
    };
    failed(code, escape(&format!("{error:#}"), REASON))
}

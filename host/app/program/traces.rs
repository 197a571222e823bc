//! Spans of the program, where the environment asks for them.

use guardhost_core::error::{Error, kind};
use guardhost_core::process_env::ProcessEnv;
use guardhost_telemetry::{EventSpans, Traces, Wanted};

use super::output::complain;

/// What takes the spans of this program, and makes them of its events. None where nobody asks for them, or they cannot be sent, which is said.
pub fn begin(process: &ProcessEnv, name: impl Fn() -> String) -> Option<(Traces, EventSpans)> {
    let variable = |name: &str| process.var(name).and_then(|value| value.to_str());
    let started = match Wanted::from_variables(&variable, "guardhost") {
        Wanted::No => return None,
        Wanted::Yes(settings) => Traces::start(*settings),
        Wanted::Unusable(why) => Err(why),
    };
    match started {
        Ok(traces) => {
            let spans = EventSpans::begin(&traces, &name(), traces.parent());
            Some((traces, spans))
        }
        Err(why) => {
            complain(&format!("no traces are sent: {why}"));
            None
        }
    }
}

/// Ends the program's own span, and says it where the collector did not take all.
pub fn finish(traces: &Traces, spans: &EventSpans, failed: Option<&Error>) {
    spans.finish(failed.map(|error| kind(error).name()));
    if let Some(trouble) = traces.finish() {
        complain(&format!("not all traces were sent: {trouble}"));
    }
}

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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Threads of this process that send spans.
    fn senders() -> usize {
        let tasks = std::fs::read_dir("/proc/self/task").unwrap();
        let names = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok());
        names.filter(|name| name.trim_end() == "traces").count()
    }

    fn asked(variables: &[(&str, &str)]) -> ProcessEnv {
        let env = variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
        ProcessEnv { env, ..ProcessEnv::default() }
    }

    /// Where nobody asks for spans there is no thread, no client, and not even a name for them.
    #[test]
    fn what_nobody_asks_for_costs_nothing() {
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
        for variables in [
            &[][..],
            &[("OTEL_SERVICE_NAME", "x"), ("TRACEPARENT", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")],
            &[endpoint, ("OTEL_SDK_DISABLED", "true")],
            &[endpoint, ("OTEL_TRACES_EXPORTER", "none")],
        ] {
            assert!(begin(&asked(variables), || unreachable!("a name for nobody")).is_none(), "{variables:?}");
            assert_eq!(senders(), 0, "{variables:?}");
        }
        let (traces, spans) = begin(&asked(&[endpoint]), || "host check".to_owned()).expect("they are asked for");
        // A thread gives itself its name, some time after it was started.
        let is_seen = (0..1_000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            senders() == 1
        });
        assert!(is_seen);
        finish(&traces, &spans, None);
    }
}

//! What a program says of its own work, on standard error.

use std::fmt::{Debug, Write as _};
use std::io::IsTerminal as _;

use jiff::Timestamp;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// What is logged where nobody asked for more with `-v`.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogSettings {
    /// Warnings and errors, and not nothing.
    pub warnings: bool,
    /// A line of JSON each.
    pub json: bool,
}

/// From here on.
pub(super) fn begin(verbose: u8, log: LogSettings) {
    let level = match verbose {
        0 if log.warnings => Level::WARN,
        0 => return,
        1 => Level::INFO,
        _ => Level::TRACE,
    };
    let to_stderr = tracing_subscriber::fmt()
        .with_ansi(std::io::stderr().is_terminal())
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_target(false);
    match log.json {
        true => to_stderr.event_format(JsonLines).init(),
        false => to_stderr.init(),
    }
}

/// `{"ts", "level", "message", …}`, with the fields of the event: `job`, `run`, `attempt`.
struct JsonLines;

impl<S: Subscriber + for<'a> LookupSpan<'a>, N: for<'a> FormatFields<'a> + 'static> FormatEvent<S, N> for JsonLines {
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> std::fmt::Result {
        let mut fields = EventFields(Map::new());
        fields.0.insert("ts".to_owned(), Timestamp::now().to_string().into());
        fields.0.insert("level".to_owned(), event.metadata().level().to_string().to_lowercase().into());
        event.record(&mut fields);
        writeln!(writer, "{}", Value::Object(fields.0))
    }
}

/// The fields of an event, as they are printed.
struct EventFields(Map<String, Value>);

impl Visit for EventFields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        let _ = write!(text, "{value:?}");
        self.0.insert(field.name().to_owned(), text.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

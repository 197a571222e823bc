//! Spans of runs, requests and jobs, sent to a collector of OpenTelemetry over HTTP where the standard variables ask for it. Nothing waits
//! for the collector: what it does not take is dropped, and said once.

mod event_spans;
mod exporter;
mod headers;
mod otlp;
mod parent;
mod settings;
mod span;

pub use event_spans::EventSpans;
pub use exporter::Traces;
pub use parent::SpanParent;
pub use settings::{TraceSettings, Wanted};
pub use span::{Attribute, Clock, Span, SpanKind};

//! The JSON form of OTLP: `ExportTraceServiceRequest` of opentelemetry-proto 1, with identifiers in hexadecimal and numbers of 64 bits as texts.

use serde_json::{Value, json};

use crate::span::{Attribute, Span, SpanKind};

/// The body of one request.
pub fn body(resource: &[(String, String)], spans: &[Span]) -> Value {
    let named: Vec<Value> =
        resource.iter().map(|(name, value)| json!({ "key": name, "value": { "stringValue": value } })).collect();
    json!({
        "resourceSpans": [{
            "resource": { "attributes": named },
            "scopeSpans": [{
                "scope": { "name": "guardhost", "version": env!("CARGO_PKG_VERSION") },
                "spans": spans.iter().map(span).collect::<Vec<_>>(),
            }],
        }],
    })
}

fn span(span: &Span) -> Value {
    let Span { trace, id, parent, name, kind, start, end, attributes, failed } = span;
    let attributes: Vec<Value> =
        attributes.iter().map(|(name, value)| json!({ "key": name, "value": attribute(value) })).collect();
    // Of the enum `SpanKind`, and of `StatusCode`, in which an error is 2.
    let kind = match kind {
        SpanKind::Internal => 1,
        SpanKind::Server => 2,
        SpanKind::Client => 3,
    };
    let mut json = json!({
        "traceId": hex(trace),
        "spanId": hex(id),
        "name": name,
        "kind": kind,
        "startTimeUnixNano": start.to_string(),
        "endTimeUnixNano": end.to_string(),
        "attributes": attributes,
        "status": match failed {
            Some(kind) => json!({ "code": 2, "message": kind }),
            None => json!({}),
        },
    });
    if let Some(parent) = parent {
        json["parentSpanId"] = hex(parent).into();
    }
    json
}

fn attribute(value: &Attribute) -> Value {
    match value {
        Attribute::Text(text) => json!({ "stringValue": text }),
        Attribute::Number(number) => json!({ "intValue": number.to_string() }),
        Attribute::Flag(flag) => json!({ "boolValue": flag }),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! What the standard variables of OpenTelemetry ask for.

use std::time::Duration;

use guardhost_http::Proxies;
use reqwest::Url;

use crate::headers::pairs;
use crate::parent::{Caller, SpanParent};

/// Where a collector listens that no variable names.
const DEFAULT: &str = "http://localhost:4318";
/// The path of traces below a collector.
const TRACES: &str = "v1/traces";
/// How long a request may take where no variable says it: the standard's.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Whether spans are sent.
#[derive(Debug)]
pub enum Wanted {
    No,
    Yes(Box<TraceSettings>),
    /// They are asked for in a way that cannot be done, and why. It holds no secret.
    Unusable(String),
}

#[derive(Debug)]
pub struct TraceSettings {
    pub(crate) url: Url,
    /// Some may be secrets.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) timeout: Duration,
    pub(crate) proxies: Proxies,
    /// What sends, and where it runs: `service.name` and whatever else the environment says.
    pub(crate) resource: Vec<(String, String)>,
    pub(crate) parent: SpanParent,
}

impl Wanted {
    /// `variable` gives a variable of the environment that is not empty; `service` is the name where none is given.
    pub fn from_variables<'a>(variable: &dyn Fn(&str) -> Option<&'a str>, service: &str) -> Self {
        match read(variable, service) {
            Ok(None) => Wanted::No,
            Ok(Some(settings)) => Wanted::Yes(Box::new(settings)),
            Err(why) => Wanted::Unusable(why),
        }
    }
}

fn read<'a>(variable: &dyn Fn(&str) -> Option<&'a str>, service: &str) -> Result<Option<TraceSettings>, String> {
    if variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return Ok(None);
    }
    // What is said of traces counts before what is said of everything.
    let of = |name: &str| {
        let own = format!("OTEL_EXPORTER_OTLP_TRACES_{name}");
        variable(&own).or_else(|| variable(&format!("OTEL_EXPORTER_OTLP_{name}")))
    };
    let own_endpoint = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    let endpoint = variable("OTEL_EXPORTER_OTLP_ENDPOINT");
    let is_wanted = match variable("OTEL_TRACES_EXPORTER") {
        None => own_endpoint.or(endpoint).is_some(),
        Some(names) => names.split(',').any(|name| name.trim() == "otlp"),
    };
    let caller = variable("TRACEPARENT").map_or(Caller::None, Caller::parse);
    let parent = match caller {
        _ if !is_wanted => return Ok(None),
        Caller::Left => return Ok(None),
        Caller::None => SpanParent::new(),
        Caller::Recorded(parent) => parent,
    };
    if of("PROTOCOL") == Some("grpc") {
        return Err("OTEL_EXPORTER_OTLP_PROTOCOL asks for grpc, and spans are sent as http/json alone".to_owned());
    }
    let address = own_endpoint
        .map_or_else(|| format!("{}/{TRACES}", endpoint.unwrap_or(DEFAULT).trim_end_matches('/')), str::to_owned);
    let url: Url = address.parse().map_err(|error| format!("the endpoint of OTEL_EXPORTER_OTLP is no URL: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("the endpoint of OTEL_EXPORTER_OTLP begins with {}:, and not with http", url.scheme()));
    }
    let list = |text: Option<&str>, name: &str| {
        pairs(text.unwrap_or_default()).ok_or_else(|| format!("{name} is no list of NAME=VALUE"))
    };
    let headers = list(of("HEADERS"), "OTEL_EXPORTER_OTLP_HEADERS")?;
    let mut resource = list(variable("OTEL_RESOURCE_ATTRIBUTES"), "OTEL_RESOURCE_ATTRIBUTES")?;
    let is_named = resource.iter().any(|(name, _)| name == "service.name");
    if let Some(name) = variable("OTEL_SERVICE_NAME").or_else(|| (!is_named).then_some(service)) {
        resource.retain(|(key, _)| key != "service.name");
        resource.push(("service.name".to_owned(), name.to_owned()));
    }
    let timeout = match of("TIMEOUT") {
        None => TIMEOUT,
        Some(written) => Duration::from_millis(
            written.parse().map_err(|_| "OTEL_EXPORTER_OTLP_TIMEOUT is no number of milliseconds".to_owned())?,
        ),
    };
    Ok(Some(TraceSettings { url, headers, timeout, proxies: Proxies::from_variables(variable), resource, parent }))
}

#[cfg(test)]
mod tests {
    use super::{TraceSettings, Wanted};

    fn wanted(set: &[(&str, &'static str)]) -> Wanted {
        Wanted::from_variables(&|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| *value), "guardhost")
    }

    fn settings(set: &[(&str, &'static str)]) -> TraceSettings {
        match wanted(set) {
            Wanted::Yes(settings) => *settings,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_is_sent_unless_it_is_asked_for() {
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
        for off in [
            &[][..],
            &[("OTEL_SERVICE_NAME", "x")],
            &[endpoint, ("OTEL_SDK_DISABLED", "TRUE")],
            &[endpoint, ("OTEL_TRACES_EXPORTER", "none")],
            &[endpoint, ("OTEL_TRACES_EXPORTER", "console")],
            &[endpoint, ("TRACEPARENT", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")],
        ] {
            assert!(matches!(wanted(off), Wanted::No), "{off:?}");
        }
        for wrong in [
            &[endpoint, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")][..],
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318")],
            &[endpoint, ("OTEL_EXPORTER_OTLP_HEADERS", "secret")],
            &[endpoint, ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon")],
        ] {
            let Wanted::Unusable(why) = wanted(wrong) else { panic!("{wrong:?}") };
            assert!(!why.contains("secret"), "{why}");
        }
    }

    #[test]
    fn what_is_said_of_traces_counts_first() {
        let url = |set: &[(&str, &'static str)]| settings(set).url.to_string();
        let all = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://one/base/");
        assert_eq!(url(&[all]), "http://one/base/v1/traces");
        assert_eq!(url(&[all, ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://two/own")]), "http://two/own");
        assert_eq!(url(&[("OTEL_TRACES_EXPORTER", "otlp")]), "http://localhost:4318/v1/traces");
        let named = settings(&[all, ("OTEL_RESOURCE_ATTRIBUTES", "service.name=a,b=c"), ("OTEL_SERVICE_NAME", "d")]);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(named.resource, [pair("b", "c"), pair("service.name", "d")]);
        assert_eq!(settings(&[all]).resource, [pair("service.name", "guardhost")]);
    }
}

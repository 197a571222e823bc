//! Error bodies of servers. They come in many shapes:
//!
//! `{"error":{"message","type","code"}}` with a code that is a string, a number or null, `{"error":"text"}`, `{"object":"error","message",…}`,
//! `{"type":"error","error":{…}}`, `{"detail":…}`, `{"message":…}`, HTML, plain text.

use serde_json::Value;

use crate::{FailureClass, ProviderFailure, error_patterns};

/// An error in place of an answer or in the middle of one, with whatever status.
pub(super) fn is_error(event: &Value) -> bool {
    // Some gateways send `"error": null` with every chunk.
    let named = !matches!(event["error"], Value::Null | Value::Bool(false));
    named || event["object"] == "error" || event["type"] == "error"
}

/// The failure that a JSON body reports. `status` is given where it is not a success.
pub(super) fn from_json(status: Option<u16>, body: &Value) -> ProviderFailure {
    let error = if body["error"].is_object() { &body["error"] } else { body };
    let message = message(error).or_else(|| body["error"].as_str().map(str::to_owned));
    let message = message.unwrap_or_else(|| "it gave no reason".to_owned());
    let codes = [&error["details"]["error_code"], &error["code"], &error["type"]];
    let by_code = codes.into_iter().find_map(|code| match code {
        // Some gateways write numbers as strings.
        Value::String(code) => by_code(code).or_else(|| code.parse().ok().and_then(by_status)),
        code => code.as_u64().and_then(by_status),
    });
    classify(status, by_code, &message)
}

/// The failure that a body without structure reports.
pub(super) fn from_text(status: Option<u16>, body: &str) -> ProviderFailure {
    let message = if body.trim().is_empty() { "it gave no reason" } else { body.trim() };
    classify(status, None, message)
}

fn classify(status: Option<u16>, by_code: Option<FailureClass>, message: &str) -> ProviderFailure {
    let by_status = status.and_then(|status| by_status(status.into()));
    let default = match status {
        Some(300..=499) => FailureClass::Config,
        Some(500..) => FailureClass::Overloaded,
        _ => FailureClass::ProtocolError,
    };
    let message = match status {
        Some(status) => format!("HTTP {status}: {message}"),
        None => message.to_owned(),
    };
    error_patterns::classify(by_code.or(by_status), &message, default)
}

/// A plain 500 may be anything that a server did not foresee, for example an overlong prompt: its message says more.
fn by_status(status: u64) -> Option<FailureClass> {
    error_patterns::by_status(status).filter(|_| status != 500)
}

/// The message for people.
fn message(error: &Value) -> Option<String> {
    if let Some(text) = error["message"].as_str().or_else(|| error["detail"].as_str()) {
        return Some(text.to_owned()).filter(|text| !text.trim().is_empty());
    }
    // Validators of request bodies send a list of errors.
    (!error["detail"].is_null()).then(|| error["detail"].to_string())
}

fn by_code(code: &str) -> Option<FailureClass> {
    Some(match code {
        "insufficient_quota" | "billing_error" | "billing_hard_limit_reached" | "enforced_spend_limit_reached" => {
            FailureClass::QuotaExhausted
        }
        "rate_limit_exceeded" | "rate_limit_error" => FailureClass::RateLimited,
        "context_length_exceeded" | "exceed_context_size_error" | "request_too_large" => FailureClass::ContextTooLong,
        "invalid_api_key" | "authentication_error" | "permission_error" => FailureClass::Auth,
        "model_not_found" | "not_found_error" => FailureClass::Config,
        "content_filter" | "content_policy_violation" => FailureClass::Refused,
        "overloaded_error" | "timeout_error" => FailureClass::Overloaded,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_read() {
        for (status, body, class) in [
            (
                429,
                r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
                FailureClass::QuotaExhausted,
            ),
            (
                429,
                r#"{"error":{"message":"Rate limit reached for gpt-5","type":"tokens","code":"rate_limit_exceeded"}}"#,
                FailureClass::RateLimited,
            ),
            (
                429,
                r#"{"type":"error","error":{"type":"rate_limit_error","message":"spent","details":{"error_code":"enforced_spend_limit_reached"}}}"#,
                FailureClass::QuotaExhausted,
            ),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                FailureClass::Overloaded,
            ),
            (
                401,
                r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
                FailureClass::Auth,
            ),
            (
                404,
                r#"{"error":{"message":"model \"x\" not found","type":"not_found_error","param":null,"code":null}}"#,
                FailureClass::Config,
            ),
            (
                400,
                r#"{"object":"error","message":"This model's maximum context length is 4096 tokens","type":"BadRequestError","param":null,"code":400}"#,
                FailureClass::ContextTooLong,
            ),
            (
                500,
                r#"{"error":{"code":500,"message":"the request exceeds the available context size","type":"server_error"}}"#,
                FailureClass::ContextTooLong,
            ),
            (
                400,
                r#"{"error":{"message":"No models loaded. Please load a model in the developer page","type":"invalid_request_error","code":null}}"#,
                FailureClass::Config,
            ),
            (
                503,
                r#"{"error":"server busy, please try again.  maximum pending requests exceeded"}"#,
                FailureClass::Overloaded,
            ),
            (500, r#"{"detail":"Internal Server Error"}"#, FailureClass::Overloaded),
            (
                422,
                r#"{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}"#,
                FailureClass::Config,
            ),
            (401, r#"{"message":"Unauthorized"}"#, FailureClass::Auth),
            (
                404,
                r#"{"object":"error","message":"The model does not exist.","type":"NotFoundError","param":null,"code":404}"#,
                FailureClass::Config,
            ),
        ] {
            let found = from_json(Some(status), &serde_json::from_str(body).unwrap());
            assert_eq!(found.class, class, "{body}");
            assert!(found.message.starts_with(&format!("HTTP {status}: ")), "{}", found.message);
        }
        assert_eq!(from_text(Some(502), "<html><h1>502 Bad Gateway</h1></html>").class, FailureClass::Overloaded);
        assert!(!is_error(&serde_json::json!({ "error": null, "choices": [] })));
    }
}

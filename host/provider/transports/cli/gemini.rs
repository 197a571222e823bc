//! Gemini CLI, `gemini -o json`: one pretty object on stdout.
//!
//! Fatal errors come on stderr, between other lines, with nothing on stdout. An answer that was empty or blocked comes with exit code 0
//! and `error.type` `INVALID_STREAM`. An HTTP status as exit code arrives modulo 256. In a prompt, `@path` and a leading `/` are
//! commands.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use serde_json::Value;

use super::json::{objects, text};
use super::output::ProcessOutput;
use super::scratch::AgentTrace;
use super::{CliDialect, OnChange};
use crate::transports::{ProviderResponse, used_tools};
use crate::{AnswerLimits, Environment, FailureClass, ProviderFailure, error_patterns};
use guardhost_core::change::Usage;

pub(crate) const GEMINI: CliDialect = CliDialect {
    name: "gemini",
    keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    settings: &[
        "GEMINI_CLI_HOME",
        "GEMINI_MODEL",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_CLOUD_PROJECT_ID",
        "GOOGLE_GEMINI_BASE_URL",
        "GOOGLE_GENAI_USE_GCA",
        "GOOGLE_GENAI_USE_VERTEXAI",
        "GOOGLE_VERTEX_BASE_URL",
    ],
    // Without it the program exits with code 55 in a folder that the user has not trusted; the scratch folder is empty, so it is safe.
    // The variable is supported by older versions than the option.
    fixed: &[("GEMINI_CLI_TRUST_WORKSPACE", "true")],
    defaults: &[],
    files: &[(".gemini/settings.json", SETTINGS)],
    inert_tools: &[],
    on_change: OnChange::Report,
    // It prints nothing until it is done.
    limits: AnswerLimits::new(None),
    sign_in: "run `gemini` once and sign in, or set GEMINI_API_KEY",
    args: |line| {
        let mut args = line.arguments("-o json --approval-mode default -e none", "-m");
        args.extend_from_slice(line.extra);
        args
    },
    encode: escape,
    parse,
    progress: |_| None,
    hopeless: |_| None,
    traces,
};

/// Settings of the folder that it starts in, which come before the user's. An empty list of tools would mean all of them; there is no tool
/// and no server with the name that is allowed.
const SETTINGS: &str = r#"{
  "tools": { "core": ["none"], "discoveryCommand": "", "callCommand": "" },
  "mcp": { "allowed": ["none"] },
  "hooksConfig": { "enabled": false },
  "skills": { "enabled": false }
}
"#;

/// It keeps the conversation below its home, in folders of which each names the folder that it belongs to.
fn traces(environment: &Environment, dir: &Path) -> Vec<AgentTrace> {
    let home = environment.text("GEMINI_CLI_HOME").map(PathBuf::from).or_else(|| environment.home());
    let Some(home) = home.map(|home| home.join(".gemini")) else { return Vec::new() };
    let folders =
        ["tmp", "history"].into_iter().flat_map(|name| std::fs::read_dir(home.join(name))).flatten().flatten();
    let is_own = |folder: &PathBuf| {
        let root = std::fs::read_to_string(folder.join(".project_root"));
        root.is_ok_and(|root| Path::new(root.trim()) == dir)
    };
    folders.map(|entry| entry.path()).filter(is_own).map(AgentTrace::Folder).collect()
}

const ESCAPED: &[u8] = b"In this message every at sign has a backslash before it: \\@. Write at signs without one.\n\n";

/// Every `@` becomes `\@`, unless it is that already. The first line keeps a leading `/` from being a command.
fn escape(prompt: &[u8]) -> Vec<u8> {
    if prompt.contains(&b'@') || prompt.starts_with(b"/") {
        [ESCAPED, prompt.replace(br"\@", b"@").replace(b"@", br"\@").as_slice()].concat()
    } else {
        prompt.to_vec()
    }
}

/// Undoes `escape` in the reply. When the prompt itself held `\@`, the two cannot be told apart, and the reply stays as it is.
fn unescape(reply: &str, prompt: &[u8]) -> Vec<u8> {
    if prompt.contains_str(r"\@") { reply.into() } else { reply.replace(r"\@", "@").into_bytes() }
}

fn parse(output: &ProcessOutput, prompt: &[u8]) -> Result<ProviderResponse, ProviderFailure> {
    let out = objects(&output.stdout);
    let answer = out.iter().rfind(|object| object["response"].is_string() || object["error"].is_object());
    if let Some(error) = answer.map(|answer| &answer["error"]).filter(|error| error.is_object()) {
        return Err(failure(error, output));
    }
    let Some(answer) = answer.filter(|_| output.status.success()) else {
        // Only without an answer: with one, an error on stderr is that of an attempt which was repeated.
        let errors = objects(&output.stderr);
        return Err(match errors.iter().map(|object| &object["error"]).rfind(|error| error.is_object()) {
            Some(error) => failure(error, output),
            None => output.failure(output.status.code().and_then(by_exit), "there is no answer object"),
        });
    };
    let (model, usage) = model_and_usage(&answer["stats"]["models"]);
    let tools = answer["stats"]["tools"]["byName"].as_object();
    let tools: Vec<&str> = tools.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    if let Some(failure) = used_tools(&tools) {
        return Err(ProviderFailure { usage, ..failure });
    }
    let Some(response) = text(&answer["response"]) else {
        return Err(output.failure(Some(FailureClass::Empty), "the response is empty"));
    };
    if let Some((class, warning)) =
        answer["warnings"].as_array().into_iter().flatten().filter_map(text).find_map(by_warning)
    {
        return Err(ProviderFailure::new(class, warning));
    }
    Ok(ProviderResponse::new(unescape(response, prompt), model, usage))
}

fn failure(error: &Value, output: &ProcessOutput) -> ProviderFailure {
    let name = error["type"].as_str().unwrap_or_default();
    let by_type = match name {
        "TerminalQuotaError" => Some(FailureClass::QuotaExhausted),
        "RetryableQuotaError" => Some(FailureClass::RateLimited),
        "FatalAuthenticationError" => Some(FailureClass::Auth),
        "FatalConfigError" | "FatalInputError" | "FatalSandboxError" | "FatalUntrustedWorkspaceError" => {
            Some(FailureClass::Config)
        }
        "FatalTurnLimitedError" => Some(FailureClass::TruncatedOutput),
        "INVALID_STREAM" => Some(FailureClass::Empty),
        _ => None,
    };
    // A number, or a string of its digits.
    let code = error["code"].as_u64().or_else(|| error["code"].as_str()?.parse().ok());
    let by_code = code.and_then(|code| error_patterns::by_status(code).or_else(|| by_exit(i32::try_from(code).ok()?)));
    let by_exit = || output.status.code().and_then(by_exit);
    error_patterns::classify(
        by_type.or(by_code).or_else(by_exit),
        text(error).unwrap_or(name),
        FailureClass::ProtocolError,
    )
}

fn by_exit(code: i32) -> Option<FailureClass> {
    const MODULUS: u64 = 256;
    Some(match code {
        41 => FailureClass::Auth,
        42 | 44 | 52 | 55 => FailureClass::Config,
        53 => FailureClass::TruncatedOutput,
        // HTTP 400 to 511, modulo 256. Below 400 no status is an error, and above 511 the remainder is one of the codes above.
        144..=255 => return error_patterns::by_status(u64::try_from(code).ok()? + MODULUS),
        _ => return None,
    })
}

/// Warnings that mean that the response is incomplete.
fn by_warning(warning: &str) -> Option<(FailureClass, &str)> {
    let text = warning.to_lowercase();
    let class = match () {
        () if text.contains("loop detected") => FailureClass::TruncatedOutput,
        () if text.contains("execution stopped") || text.contains("execution blocked") => {
            FailureClass::PermissionDenied
        }
        () => return None,
    };
    Some((class, warning))
}

/// The model that wrote most (it may not be the one that was asked for), and the tokens of all models.
fn model_and_usage(models: &Value) -> (Option<String>, Usage) {
    let Some(models) = models.as_object() else { return (None, Usage::default()) };
    let count =
        |key: &str| models.values().filter_map(|model| model["tokens"][key].as_u64()).reduce(u64::saturating_add);
    let most = models.iter().max_by_key(|(_, model)| model["tokens"]["candidates"].as_u64());
    let usage = Usage { input_tokens: count("prompt"), output_tokens: count("candidates"), cost_usd: None };
    (most.map(|(name, _)| name.clone()), usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_at_sign_is_a_command_and_none_is_lost() {
        let sent = escape(b"@app.route\n@@ -1 +1 @@\nme@example.org");
        assert_eq!(
            sent.strip_prefix(ESCAPED),
            Some(
                &br"\@app.route
\@\@ -1 +1 \@\@
me\@example.org"[..]
            )
        );
        assert_eq!(unescape(r"\@\@ -1 +1 @@", b"@@"), b"@@ -1 +1 @@");
        assert_eq!(unescape(r"\@", br"a \@ stood there"), br"\@");
        assert_eq!(escape(b"plain"), b"plain");
        assert!(!escape(b"/help").starts_with(b"/"));
    }
}

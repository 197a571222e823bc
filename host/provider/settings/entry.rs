//! Makes a provider of an entry of the settings.

use std::num::NonZeroU64;
use std::path::Path;
use std::time::Duration;

use super::file::{Api, ProviderEntry};
use crate::transports::http::{self, ANTHROPIC, HttpServer, OPENAI};
use crate::{Provider, Transport, preset};

/// Relative paths start at `dir`. Errors say what is wrong with the entry.
pub(super) fn provider(name: &str, entry: &ProviderEntry, dir: &Path) -> Result<Provider, String> {
    let mut provider = base(name, entry, dir)?;
    name.clone_into(&mut provider.name);
    provider.keys.clone_from(&entry.secret_env);
    if let Some(seconds) = entry.idle_timeout {
        provider.limits.idle = Some(Duration::from_secs(seconds.get()));
    }
    if let Some(tokens) = entry.max_prompt_tokens {
        provider.limits.prompt = tokens.get();
    }
    match &mut provider.transport {
        Transport::Http(server) => {
            server.key = entry.key_env.clone().or(server.key.take());
            server.stream = entry.stream.unwrap_or(server.stream);
            server.body.clone_from(&entry.body);
        }
        _ if entry.key_env.is_some() || entry.stream.is_some() || !entry.body.is_empty() => {
            return Err("key_env, stream and body are for servers; use secret_env for a program".into());
        }
        _ => {}
    }
    if let Some(wanted) = entry.on_change {
        let Transport::Cli { on_change, .. } = &mut provider.transport else {
            return Err("on_change is for programs".into());
        };
        *on_change = wanted;
    }
    apply_overrides(&mut provider, entry.model.as_ref(), &entry.args, &entry.env, entry.timeout)?;
    Ok(provider)
}

/// The program or server that the entry names, with default settings.
fn base(name: &str, entry: &ProviderEntry, dir: &Path) -> Result<Provider, String> {
    let ProviderEntry { preset, command, base_url, api, .. } = entry;
    if let Some(line) = command {
        if preset.is_some() || base_url.is_some() || api.is_some() {
            return Err("command cannot be combined with preset, base_url or api".into());
        }
        return Provider::command(line, dir).map_err(|error| error.to_string());
    }
    if let Some(base_url) = base_url {
        HttpServer::check_address(base_url)?;
    }
    let known = preset::preset(preset.as_deref().unwrap_or(name));
    match (known, base_url) {
        (Some(mut known), base_url) => {
            if let Some(base_url) = base_url {
                let Transport::Http(server) = &mut known.transport else {
                    return Err("base_url is for servers".into());
                };
                // The preset's key is for the preset's address; it must not be sent to another.
                server.key = None;
                server.base_url.clone_from(base_url);
            }
            if api.is_some() {
                return Err("api cannot be set: the preset defines it".into());
            }
            Ok(known)
        }
        (None, _) if preset.is_some() => {
            Err(format!("preset is one of {}", preset::names().collect::<Vec<_>>().join(", ")))
        }
        (None, Some(base_url)) => {
            let dialect: &'static http::HttpDialect = match api {
                None | Some(Api::Openai) => &OPENAI,
                Some(Api::Anthropic) => &ANTHROPIC,
            };
            Ok(preset::server(name, dialect, base_url, None))
        }
        (None, None) => Err("a preset, a command or a base_url is needed".into()),
    }
}

/// Applies what differs: in an entry from its preset, in a step from its provider.
pub(super) fn apply_overrides(
    provider: &mut Provider,
    model: Option<&String>,
    extra_args: &[String],
    env: &[String],
    timeout: Option<NonZeroU64>,
) -> Result<(), String> {
    if let Some(model) = model {
        provider.model = Some(model.clone());
    }
    if let Some(seconds) = timeout {
        provider.limits.wall = Duration::from_secs(seconds.get());
    }
    match &mut provider.transport {
        Transport::Cli { args, .. } => args.extend_from_slice(extra_args),
        _ if !extra_args.is_empty() || !env.is_empty() => return Err("args and env are for programs".into()),
        _ => {}
    }
    provider.env.extend_from_slice(env);
    Ok(())
}

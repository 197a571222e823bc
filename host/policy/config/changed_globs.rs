//! Globs that mean more than they did before there was one dialect.

use super::{ComponentSource, GuardsToml};

/// Settings of embedded guards in which a glob without a slash meant the root alone.
const SETTINGS: [&str; 3] = ["allow_broken", "ignore", "allow"];
/// Guards in which a setting of such a name has other texts, or was read as it is now.
const OTHERS: [&str; 4] = ["links-resolve", "locks-agree", "scope-kept", "workflows-sound"];

/// What the author of each such glob should know.
pub fn notices(rules: &GuardsToml, origin: &str) -> Vec<String> {
    let protect = rules.policy.protect.iter().map(|glob| ("policy.protect".to_owned(), glob.as_str()));
    let pins = rules.guards.iter().filter(|pin| pin.source == ComponentSource::Builtin);
    let settings = pins.filter(|pin| !OTHERS.contains(&pin.component_id())).flat_map(|pin| {
        SETTINGS.iter().filter(|key| **key != "allow" || pin.component_id() == "schema-holds").flat_map(move |key| {
            let globs = pin.settings.get(*key).and_then(toml::Value::as_array).into_iter().flatten();
            globs.filter_map(move |glob| Some((format!("settings.{key} of {}", pin.id), glob.as_str()?)))
        })
    });
    let is_wider = |glob: &str| !glob.contains('/');
    let wider = protect.chain(settings).filter(|(_, glob)| is_wider(glob));
    wider.map(|(place, glob)| format!("{origin}: {place}: `{glob}` matches at any depth, as in .gitignore; write `/{glob}` for the root alone, or `**/{glob}`")).collect()
}

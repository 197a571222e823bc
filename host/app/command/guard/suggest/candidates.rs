//! The ways in which a set could judge and does not.

use guardhost_core::change::Mode;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_engine::EmbeddedGuards;
use guardhost_policy::config::{AlteredPin, Pin};
use serde::Deserialize;

const ALTERNATIVES: &str = include_str!("alternatives.toml");

/// One of them.
#[derive(Debug, Clone)]
pub struct CandidateSettings {
    pub pin: AlteredPin,
    /// What it would find that the set does not.
    pub why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Alternatives {
    alternative: Vec<Alternative>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Alternative {
    guard: String,
    settings: toml::Table,
    why: String,
}

/// Guards that are off or object to nothing, and other settings of those that judge. Those that run the repository's code or ask models are not among
/// them: the past is not built again, and nobody pays for answers about it.
///
/// # Errors
/// [`FaultKind::Config`]: never, unless the list is wrong.
pub fn candidates(pins: &[Pin], embedded: &EmbeddedGuards) -> Result<Vec<CandidateSettings>> {
    let mut found = Vec::new();
    for guard in embedded.guards {
        let is_dear = ["toolchain", "model"].iter().any(|grant| guard.grants.contains(grant));
        let why = match pins.iter().find(|pin| pin.id == guard.id) {
            None => "the guard is off",
            Some(pin) if pin.mode == Mode::Monitor => "the guard reports and rejects nothing",
            Some(_) => continue,
        };
        if !is_dear {
            let grants = guard.grants.iter().map(ToString::to_string).collect();
            let pin = AlteredPin { id: guard.id.to_owned(), grants, settings: toml::Table::new() };
            found.push(CandidateSettings { pin, why: why.to_owned() });
        }
    }
    let listed: Alternatives = toml::from_str(ALTERNATIVES)
        .with_context(|| Fault::new(FaultKind::Config, "the host's own list of settings is wrong"))?;
    for Alternative { guard, settings, why } in listed.alternative {
        let pinned = pins.iter().find(|pin| pin.id == guard && pin.mode == Mode::Enforce);
        // What the pin says already is no other way.
        let is_other = |pin: &Pin| settings.iter().any(|(key, value)| pin.settings.get(key) != Some(value));
        if let Some(pin) = pinned.filter(|pin| is_other(pin)) {
            let pin = AlteredPin { id: guard, grants: pin.grants.clone(), settings };
            found.push(CandidateSettings { pin, why });
        }
    }
    Ok(found)
}

/// So that no two of one round are of the same guard: a set has each guard once.
pub fn rounds(candidates: Vec<CandidateSettings>) -> Vec<Vec<CandidateSettings>> {
    let mut rounds: Vec<Vec<CandidateSettings>> = Vec::new();
    for candidate in candidates {
        let is_free = |round: &&mut Vec<CandidateSettings>| round.iter().all(|other| other.pin.id != candidate.pin.id);
        match rounds.iter_mut().find(is_free) {
            Some(round) => round.push(candidate),
            None => rounds.push(vec![candidate]),
        }
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alternative_is_one_that_its_guard_knows() {
        let listed: Alternatives = toml::from_str(ALTERNATIVES).unwrap();
        for Alternative { guard, settings, .. } in &listed.alternative {
            let embedded = guards::EMBEDDED.get(guard).expect(guard);
            let schema = embedded.description.get().settings_schema.clone();
            let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
            let known = schema["properties"].as_object().expect("properties");
            for (key, value) in settings {
                let default = &known.get(key).unwrap_or_else(|| panic!("{guard} has no {key}"))["default"];
                assert_ne!(&serde_json::to_value(value).unwrap(), default, "{guard}: {key}");
            }
        }
    }

    #[test]
    fn a_round_has_each_guard_once() {
        let pins: Vec<Pin> = ["docs-kept", "work-kept"].map(|id| Pin::new(id, Default::default())).into();
        let all = candidates(&pins, &guards::EMBEDDED).unwrap();
        let ids: Vec<&str> = all.iter().map(|candidate| candidate.pin.id.as_str()).collect();
        assert!(ids.contains(&"syntax-holds") && !ids.contains(&"builds") && !ids.contains(&"critic-panel"), "{ids:?}");
        assert_eq!(ids.iter().filter(|id| **id == "docs-kept").count(), 3);
        let rounds = rounds(all);
        assert_eq!(rounds.len(), 3);
        for round in &rounds {
            let ids: std::collections::BTreeSet<&str> = round.iter().map(|one| one.pin.id.as_str()).collect();
            assert_eq!(ids.len(), round.len());
        }
    }
}

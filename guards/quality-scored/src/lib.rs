//! GΨ: a score of every touched file, Ψ = α·Γ − λ·Ω: what it newly names is there, and what it newly holds is no slop.

#[allow(dead_code, reason = "the guard that this was written for also says what may be claimed instead")]
#[path = "../../known-frameworks/src/ground.rs"]
mod ground;
mod grounding;
mod kind;
#[allow(dead_code, reason = "the guard that this was written for also knows short names")]
#[path = "../../known-packages/src/name.rs"]
mod name;
#[allow(dead_code, reason = "the guard that this was written for also looks at what stands before a name")]
#[path = "../../known-frameworks/src/names.rs"]
mod names;
#[path = "../../known-packages/src/nearest.rs"]
mod nearest;
#[allow(dead_code, reason = "the guard that this was written for also looks at headings")]
#[path = "../../known-frameworks/src/prose.rs"]
mod prose;
mod rules;
mod signs;
mod slop;

use guard_sdk::{About, Capability, Change, File, Finding, Guard, Need, Stage, Unreadable, Verdict, guard, log};
use serde::Deserialize;

use grounding::{Gamma, Grounding};
use kind::Kind;
use slop::Omega;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The score that every touched file must reach.
    threshold: f64,
    /// Weight of Γ.
    alpha: f64,
    /// Weight of Ω.
    lambda: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { threshold: 0.5, alpha: 1.0, lambda: 1.0 }
    }
}

pub struct QualityScored;

impl Guard for QualityScored {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "GΨ",
        promise: "Every touched file scores Ψ = α·Γ − λ·Ω at least as high as the threshold: Γ grounding, Ω slop.",
        stages: &[Stage::Score],
        needs: &[Need::new(Capability::Facts, "to tell which of the names that a change brings in are declared")],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_psi_lite.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let mut grounding = Grounding::new(change);
        let mut scores = Vec::new();
        for file in change.files().filter(|file| file.after().is_regular()) {
            let Some(kind) = Kind::from_path(file.path()) else { continue };
            // What is not text has no score.
            if let Ok((gamma, omega)) = score(file, kind, &mut grounding) {
                let psi = settings.alpha * gamma.value() - settings.lambda * omega.value();
                scores.push(Score { file, gamma, omega, psi });
            }
        }
        let Some(weakest) = scores.iter().min_by(|a, b| a.psi.total_cmp(&b.psi)) else {
            return Ok(Verdict::not_applicable("no text that people read or write is added or changed"));
        };
        log::metric("psi", rounded(weakest.psi));
        log::metric("gamma", rounded(weakest.gamma.value()));
        log::metric("omega", rounded(weakest.omega.value()));
        log::metric("files", scores.len() as f64);
        log::info(format_args!("the lowest score is that of {}: {}", weakest.file.path(), weakest.summary()));
        let low = scores.iter().filter(|score| rounded(score.psi) < settings.threshold);
        Ok(Verdict::from_findings(low.map(|score| score.finding(settings.threshold)).collect()))
    }
}

guard!(QualityScored);

fn score(file: File, kind: Kind, grounding: &mut Grounding) -> Result<(Gamma, Omega), Unreadable> {
    let after = file.after().text()?;
    let added = file.added_lines()?;
    let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let gamma = grounding.score(file.path(), kind, &before, &after, &added);
    Ok((gamma, Omega::new(file.path(), kind, &before, &after, &added)))
}

struct Score<'c> {
    file: File<'c>,
    gamma: Gamma,
    omega: Omega,
    psi: f64,
}

impl Score<'_> {
    fn summary(&self) -> String {
        format!("Ψ {:.2} (Γ {:.2}, Ω {:.2})", self.psi, self.gamma.value(), self.omega.value())
    }

    fn finding(&self, threshold: f64) -> Finding {
        let parts: Vec<String> = self.gamma.description().into_iter().chain(self.omega.descriptions()).collect();
        let message = format!(
            "{} scores {}, and {threshold:.2} is wanted: {}",
            self.file.path(),
            self.summary(),
            if parts.is_empty() { "no file can reach that".to_owned() } else { parts.join("; ") }
        );
        let help: Vec<&str> = self.gamma.help().into_iter().chain(self.omega.help()).collect();
        let finding = Finding::error("quality-low", message);
        let finding = if help.is_empty() { finding } else { finding.help(help.join(" ")) };
        match self.omega.line() {
            Some(line) => finding.at(self.file.path(), line),
            None => finding.file(self.file.path()),
        }
    }
}

/// To hundredths, so that a sum of tenths is what it looks like.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

//! The command that a recorded run served.

use guardhost_core::written::serialized_name;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "command")]
pub enum RunCommand {
    /// `host run --task`, and each step of a larger run.
    #[default]
    Run,
    Patch,
    /// `host run --plan`.
    Plan,
    /// `host plan`.
    Planner,
    Improve,
    Fix,
    Review,
    Audit,
    /// `host pr` with any of its commands.
    Pr,
    #[serde(untagged)]
    Unknown(String),
}

impl RunCommand {
    /// The word in records and reports.
    pub fn as_str(&self) -> &str {
        match self {
            RunCommand::Unknown(word) => word,
            known => serialized_name(known),
        }
    }

    /// What a person types after `host`.
    pub fn typed(&self) -> &str {
        match self {
            RunCommand::Plan => "run --plan",
            RunCommand::Planner => "plan",
            other => other.as_str(),
        }
    }

    /// Whether it asks for changes, as a person who speaks of a run means it. What a newer version did may have.
    pub fn writes_changes(&self) -> bool {
        match self {
            RunCommand::Run
            | RunCommand::Patch
            | RunCommand::Plan
            | RunCommand::Improve
            | RunCommand::Fix
            | RunCommand::Unknown(_) => true,
            RunCommand::Planner | RunCommand::Review | RunCommand::Audit | RunCommand::Pr => false,
        }
    }

    /// Whether other runs may be steps of it.
    pub fn has_steps(&self) -> bool {
        match self {
            RunCommand::Plan | RunCommand::Improve | RunCommand::Fix => true,
            RunCommand::Run
            | RunCommand::Patch
            | RunCommand::Planner
            | RunCommand::Review
            | RunCommand::Audit
            | RunCommand::Pr
            | RunCommand::Unknown(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RunCommand;

    #[test]
    fn every_word_is_read_as_it_is_written() {
        for word in ["run", "patch", "plan", "planner", "improve", "fix", "review", "audit", "pr", "of-tomorrow", ""] {
            let json = format!("{word:?}");
            let command: RunCommand = serde_json::from_str(&json).expect("a word");
            assert_eq!(serde_json::to_string(&command).expect("JSON"), json);
            let is_unknown = matches!(command, RunCommand::Unknown(_));
            assert_eq!(is_unknown, ["of-tomorrow", ""].contains(&word), "{word}");
            // Only what asks for changes may have steps.
            assert!(command.writes_changes() || !command.has_steps(), "{word}");
            let looks_alone = ["planner", "review", "audit", "pr"].contains(&word);
            assert_eq!(command.writes_changes(), !looks_alone, "{word}");
        }
    }
}

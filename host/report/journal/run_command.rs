//! The command that a recorded run served.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// In records it is [`Self::word`]. Records of other versions may have a word that this one does not know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
    Unknown(String),
}

impl RunCommand {
    pub fn word(&self) -> &str {
        match self {
            RunCommand::Run => "run",
            RunCommand::Patch => "patch",
            RunCommand::Plan => "plan",
            RunCommand::Planner => "planner",
            RunCommand::Improve => "improve",
            RunCommand::Fix => "fix",
            RunCommand::Review => "review",
            RunCommand::Audit => "audit",
            RunCommand::Pr => "pr",
            RunCommand::Unknown(word) => word,
        }
    }

    fn of_word(word: String) -> Self {
        match word.as_str() {
            "run" => RunCommand::Run,
            "patch" => RunCommand::Patch,
            "plan" => RunCommand::Plan,
            "planner" => RunCommand::Planner,
            "improve" => RunCommand::Improve,
            "fix" => RunCommand::Fix,
            "review" => RunCommand::Review,
            "audit" => RunCommand::Audit,
            "pr" => RunCommand::Pr,
            _ => RunCommand::Unknown(word),
        }
    }

    /// What a person types after `host`.
    pub fn typed(&self) -> &str {
        match self {
            RunCommand::Plan => "run --plan",
            RunCommand::Planner => "plan",
            other => other.word(),
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

impl Serialize for RunCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for RunCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(RunCommand::of_word)
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
        }
    }
}

//! Who reads the change.

use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Persona {
    Developer,
    Architect,
    Contributor,
}

const RULES: &str = "\
Report only what is wrong with this change, each with the file and the line that show it. An empty list is a good answer, and the usual one. You see a part \
of the repository: what you cannot see, you do not know. When you are not sure, report a lower severity, or nothing. `blocker`: it must not be merged like \
this. `major`: it is wrong. `minor`: it should be better. `nit`: taste.";

impl Persona {
    pub const ALL: [Persona; 3] = [Persona::Developer, Persona::Architect, Persona::Contributor];

    pub fn name(self) -> &'static str {
        match self {
            Persona::Developer => "developer",
            Persona::Architect => "architect",
            Persona::Contributor => "contributor",
        }
    }

    pub fn role(self) -> String {
        let duty = match self {
            Persona::Developer => {
                "You are a senior developer who reviews a change before it is merged. You look for mistakes that show when the code runs: wrong conditions, \
                 values that were not thought of, errors that are swallowed, resources that are not given back, races, tests that test nothing."
            }
            Persona::Architect => {
                "You are the architect of this repository and review a change before it is merged. You look for what costs later: a duty in the wrong place, \
                 the same thing built twice, an interface that cannot be kept, a dependency in the wrong direction, an exception where a rule would do."
            }
            Persona::Contributor => {
                "You are new to this repository and will have to maintain this change. You look for what misleads: names that say something else, comments and \
                 documents that are no longer true, steps that nobody could repeat, behaviour that changed without a word."
            }
        };
        format!("{duty}\n\n{RULES}")
    }
}

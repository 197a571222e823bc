//! `net.json`: what the web would answer.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Liveness;

#[derive(Clone, Default, Deserialize)]
pub(super) struct CaseNet(BTreeMap<String, Answer>);

#[derive(Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Alive(u16),
    Gone(String),
    Unknown(String),
    Refused(String),
    Other(String),
}

impl CaseNet {
    pub fn answer(&self, url: &str) -> Liveness {
        match self.0.get(url).cloned() {
            Some(Answer::Alive(status)) => Liveness::Alive(status),
            Some(Answer::Gone(why)) => Liveness::Gone(why),
            Some(Answer::Unknown(why)) => Liveness::Unknown(why),
            Some(Answer::Refused(why)) => Liveness::Refused(why),
            Some(Answer::Other(why)) => Liveness::Other(why),
            None => Liveness::Unknown("net.json does not name it".into()),
        }
    }
}

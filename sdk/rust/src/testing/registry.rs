//! `registry.json`: what package registries would answer.

use std::collections::HashMap;

use serde::Deserialize;

use crate::{PackageName, Publication, Standing};

/// By ecosystem, then by name.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct CaseRegistries(HashMap<String, HashMap<String, Answer>>);

#[derive(Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Published(Published),
    Missing(String),
    Unknown(String),
    Other(String),
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    days: Option<u32>,
    versions: Option<u32>,
}

impl CaseRegistries {
    pub fn answer(&self, package: &PackageName) -> Standing {
        match self.0.get(&package.ecosystem).and_then(|names| names.get(&package.name)) {
            Some(Answer::Published(Published { days, versions })) => {
                Standing::Published(Publication { days: *days, versions: *versions })
            }
            Some(Answer::Missing(why)) => Standing::Missing(why.clone()),
            Some(Answer::Unknown(why)) => Standing::Unknown(why.clone()),
            Some(Answer::Other(why)) => Standing::Other(why.clone()),
            None => Standing::Unknown("registry.json does not name it".into()),
        }
    }
}

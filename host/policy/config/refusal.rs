//! `[[refuse]]`: components that must not judge, whatever is locked.

use semver::{Comparator, Op, Version, VersionReq};
use serde::Deserialize;

use super::{ComponentSource, Digest};
use guardhost_core::error::{Fault, FaultKind};

/// One component by its digest, or versions of one source.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentRefusal {
    pub digest: Option<Digest>,
    pub source: Option<ComponentSource>,
    /// Which versions of `source`, a semver requirement.
    #[serde(default, deserialize_with = "requirement")]
    pub version: Option<VersionReq>,
    /// For people; shown wherever the component is refused.
    pub why: String,
}

/// A component that may be refused: what a lock, or a source, says of it.
#[derive(Debug, Clone, Copy)]
pub struct ComponentFacts<'a> {
    pub id: &'a str,
    pub source: &'a ComponentSource,
    pub version: &'a str,
    pub digest: &'a str,
}

impl ComponentRefusal {
    pub fn covers(&self, component: &ComponentFacts) -> bool {
        match (&self.digest, &self.source, &self.version) {
            (Some(digest), _, _) => digest.as_str() == component.digest,
            (None, Some(source), Some(version)) => {
                // A version that cannot be compared is not known to be a good one.
                source.admits(component.source)
                    && Version::parse(component.version).map_or(true, |found| includes(version, &found))
            }
            (None, _, _) => false,
        }
    }

    /// `Kind::Config`, code `refused-component`: guards.toml names the component.
    pub fn fault(&self, component: &ComponentFacts) -> Fault {
        let ComponentFacts { id, source, version, digest } = component;
        let why: String = self.why.chars().take(400).collect();
        let what = format!(
            "guard `{id}` ({source}): expected a component that [[refuse]] of guards.toml does not name, actual {version} \
             ({digest}), refused because: {why}"
        );
        Fault::new(FaultKind::Config, what)
            .hint(format!(
                "lock another version: host guard update {id}; or, if it is fit again, remove it from [[refuse]]"
            ))
            .code("refused-component")
    }

    /// Constraints that the types do not express.
    pub(super) fn validate(&self) -> Result<(), String> {
        let remote = |source: &ComponentSource| {
            if source.is_remote() {
                Ok(())
            } else {
                Err(format!("refuse: {source} is refused by its digest, not by its source"))
            }
        };
        if self.why.trim().is_empty() {
            return Err("refuse: `why` is empty; say why the component is refused".to_owned());
        }
        match (&self.digest, &self.source, &self.version) {
            (Some(_), None, None) => Ok(()),
            (None, Some(source), Some(_)) => remote(source),
            _ => Err("refuse: expected `digest`, or `source` and `version`".to_owned()),
        }
    }
}

/// Unlike in a requirement of a pin, a pre-release is included like the release that it precedes: what is refused must not come
/// back by its name.
fn includes(wanted: &VersionReq, found: &Version) -> bool {
    let release = Version::new(found.major, found.minor, found.patch);
    let bound = |c: &Comparator| Version {
        pre: c.pre.clone(),
        ..Version::new(c.major, c.minor.unwrap_or(0), c.patch.unwrap_or(0))
    };
    wanted.comparators.iter().all(|comparator| {
        let one = VersionReq { comparators: vec![comparator.clone()] };
        one.matches(found) || one.matches(&release) || comparator.op == Op::Less && *found < bound(comparator)
    })
}

fn requirement<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<VersionReq>, D::Error> {
    let text = String::deserialize(deserializer)?;
    VersionReq::parse(&text).map(Some).map_err(|error| {
        serde::de::Error::custom(format!("version `{}` is not a requirement: {error}", text.escape_debug()))
    })
}

#[cfg(test)]
mod tests {
    use super::includes;
    use semver::{Version, VersionReq};

    #[test]
    fn pre_releases_are_refused_too() {
        for (wanted, version, refused) in [
            ("<0.3.2", "0.3.1", true),
            ("<0.3.2", "0.3.1-rc.1", true),
            ("<0.3.2", "0.3.2-rc.1", true),
            ("<0.3.2", "0.3.2", false),
            ("=0.3.1", "0.3.1-beta", true),
            ("^0.3", "0.3.9-rc.1", true),
            ("^0.3", "0.4.0-rc.1", false),
            (">=0.2, <0.3", "0.2.5-rc.1", true),
            ("*", "1.0.0-rc.1", true),
        ] {
            let (wanted, found) = (VersionReq::parse(wanted).unwrap(), Version::parse(version).unwrap());
            assert_eq!(includes(&wanted, &found), refused, "{wanted} {version}");
        }
    }
}

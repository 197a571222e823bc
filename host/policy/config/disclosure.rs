//! `[policy] disclosure`: the lines by which the commit of a model says that it is one.

use serde::Deserialize;

/// Keys of trailers, of which a commit that a model made has at least one. None where the repository asks for nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct DisclosureTrailers(pub Vec<String>);

/// It names a person by name and address, and counts only where both are an agent's.
pub const CO_AUTHOR: &str = "Co-authored-by";

/// It certifies where a change comes from, which a model cannot do.
const SIGN_OFF: &str = "Signed-off-by";

/// Keys that the host writes for itself begin with it.
const OWN: &str = "Guardhost-";

/// Characters of a key: the longest that projects ask for have some 20.
const LONGEST: usize = 60;

impl DisclosureTrailers {
    /// The key that the host writes into its own commits, and tells a model to write. A co-author needs an address, which the host does not
    /// have of a provider.
    pub fn written(&self) -> Option<&str> {
        self.0.iter().map(String::as_str).find(|key| !key.eq_ignore_ascii_case(CO_AUTHOR))
    }

    /// # Errors
    /// What is wrong with a key, or that there is none which the host can write.
    pub fn validate(&self) -> Result<(), String> {
        for key in &self.0 {
            let name = key.escape_default();
            let is_key = key.len() <= LONGEST
                && key.starts_with(|first: char| first.is_ascii_alphabetic())
                && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if !is_key {
                return Err(format!(
                    "`policy.disclosure` has `{name}`, which is no key of a trailer, such as `Assisted-by`: letters, digits and hyphens"
                ));
            }
            if key.eq_ignore_ascii_case(SIGN_OFF) {
                return Err(format!(
                    "`policy.disclosure` has `{name}`: that certifies where a change comes from, which only a person can"
                ));
            }
            if key.get(..OWN.len()).is_some_and(|start| start.eq_ignore_ascii_case(OWN)) {
                return Err(format!("`policy.disclosure` has `{name}`: these lines are the host's own"));
            }
        }
        match self.written() {
            None if !self.0.is_empty() => Err(format!(
                "`policy.disclosure` has `{CO_AUTHOR}` alone, which needs an address that no provider has: add `Assisted-by` or another key"
            )),
            Some(_) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_that_a_model_may_write() {
        let of = |keys: &[&str]| DisclosureTrailers(keys.iter().map(ToString::to_string).collect());
        for (keys, written) in [
            (&[][..], None),
            (&["Assisted-by"], Some("Assisted-by")),
            (&["Co-Authored-By", "Generated-by"], Some("Generated-by")),
        ] {
            assert_eq!(
                of(keys).validate().map(|()| of(keys).written().map(str::to_owned)),
                Ok(written.map(str::to_owned))
            );
        }
        for keys in [
            &["Assisted by"][..],
            &["Assisted-by:"],
            &[""],
            &["-by"],
            &["Assisted-by", "signed-off-by"],
            &["guardhost-model"],
            &["co-authored-by"],
        ] {
            assert!(of(keys).validate().is_err(), "{keys:?}");
        }
    }
}

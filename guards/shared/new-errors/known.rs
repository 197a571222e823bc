//! The errors of the base, found again wherever an edit moved them.

use std::collections::BTreeMap;

use guard_sdk::{BuildReport, Change, Diagnostic};

/// How often the base has each error, by the file's path now and the message without its numbers.
pub struct Known(BTreeMap<(Option<String>, String), usize>);

impl Known {
    pub fn new(change: &Change, base: Option<&BuildReport>) -> Self {
        let moved: BTreeMap<&str, &str> =
            change.files().filter_map(|file| Some((file.old_path()?, file.path()))).collect();
        let mut known = BTreeMap::new();
        for found in base.iter().flat_map(|report| &report.diagnostics) {
            let path = found.path.as_deref().map(|path| moved.get(path).copied().unwrap_or(path).to_string());
            *known.entry((path, numberless(&found.message))).or_insert(0) += 1;
        }
        Known(known)
    }

    /// Whether the base has this error; of several that are alike, as many as it has.
    pub fn take(&mut self, found: &Diagnostic) -> bool {
        match self.0.get_mut(&(found.path.clone(), numberless(&found.message))) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}

/// Lines and columns stand in messages and in the margins of quoted code, whose width grows with them. A file that another error names
/// may have moved; that one is then new, which is the side to err on.
fn numberless(message: &str) -> String {
    let words = message.split_whitespace().map(|word| {
        let mut kept = String::new();
        for c in word.chars() {
            match (c.is_ascii_digit(), kept.ends_with('#')) {
                (true, true) => {}
                (true, false) => kept.push('#'),
                (false, _) => kept.push(c),
            }
        }
        kept
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::numberless;

    #[test]
    fn the_same_error_further_down_is_the_same() {
        let before = "error[E0308]: mismatched types\n --> src/lib.rs:9:5\n  |\n9 |     1u8\n";
        let after = "error[E0308]: mismatched types\n --> src/lib.rs:12:5\n   |\n12 |     1u8\n";
        assert_eq!(numberless(before), numberless(after));
        assert_ne!(numberless(before), numberless("error[E0308]: mismatched types\n --> src/a.rs:9:5"));
    }
}

//! Facts of a tree that an observer has. They fill what this machine cannot tell; what it computed itself counts.

/// Facts that were computed elsewhere, of exactly the tree that is planned for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedFacts {
    /// Names and numbers of files, most files first.
    pub languages: Vec<(String, u64)>,
    /// `rust/cargo`, `docker`, …
    pub stack: Vec<String>,
    pub frameworks: Vec<String>,
    /// By ecosystem.
    pub dependencies: Vec<(&'static str, Vec<String>)>,
    pub entry_points: Vec<String>,
}

/// Characters of a name.
const NAME: usize = 100;

/// Names on one line; they are text of others. Empty when there are none.
pub fn named(names: impl IntoIterator<Item = impl AsRef<str>>, most: usize) -> String {
    let mut names = names.into_iter();
    let tidy = |name: &str| name.chars().filter(|c| !c.is_control()).take(NAME).collect::<String>();
    let shown: Vec<String> = names.by_ref().take(most).map(|name| tidy(name.as_ref())).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} (and {more} more)", shown.join(", ")),
    }
}

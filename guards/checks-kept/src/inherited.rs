//! What a configuration takes over from others: `"extends": "../base.json"`.

use configuration::{Format, Setting, settings};
use guard_sdk::files::relative;

/// Configurations that one takes over, and theirs.
const MOST: usize = 10;

#[derive(Default)]
pub struct Inherited {
    pub settings: Vec<Setting>,
    /// What is taken over, as it is written.
    pub names: Vec<String>,
    /// Something is taken over that is not in the repository, such as a package.
    pub is_unknown: bool,
}

impl Inherited {
    /// `text` gives the text of a file of the same tree.
    pub fn new(path: &str, own: &[Setting], text: impl Fn(&str) -> Option<String>) -> Self {
        let names = extended(own).map(str::to_owned).collect();
        let mut found = Inherited { names, ..Inherited::default() };
        let of = |path: &str, names: Vec<String>| names.into_iter().map(|name| (path.to_owned(), name)).collect();
        let mut wanted: Vec<(String, String)> = of(path, found.names.clone());
        for _ in 0..MOST {
            let Some((path, name)) = wanted.pop() else { return found };
            let read = || {
                let base = join(&path, &name)?;
                let at = [base.clone(), format!("{base}.json")].into_iter().find_map(|at| Some((text(&at)?, at)));
                let (text, at) = at?;
                Some((settings(&text, Format::from_path(&at))?, at))
            };
            match read() {
                Some((more, at)) => {
                    wanted.extend(of(&at, extended(&more).map(str::to_owned).collect::<Vec<_>>()) as Vec<_>);
                    found.settings.extend(more);
                }
                None => found.is_unknown = true,
            }
        }
        found.is_unknown |= !wanted.is_empty();
        found
    }
}

fn extended(settings: &[Setting]) -> impl Iterator<Item = &str> {
    settings.iter().filter(|one| one.keys == ["extends"]).map(|one| one.value.as_str())
}

/// The path of what a file names relative to itself; None for a name of another kind.
fn join(path: &str, name: &str) -> Option<String> {
    if !name.starts_with('.') {
        return None;
    }
    relative::join(relative::folder(path), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_file_to_file() {
        let text = |path: &str| match path {
            "a/tsconfig.json" => Some("{\"extends\": \"../base\"}".to_owned()),
            "base.json" => {
                Some("{\"extends\": \"@own/base.json\", \"compilerOptions\": {\"strict\": true}}".to_owned())
            }
            _ => None,
        };
        let own = settings("{\"extends\": [\"./a/tsconfig.json\"]}", Format::Json).expect("it parses");
        let found = Inherited::new("tsconfig.json", &own, text);
        assert!(found.is_unknown);
        assert!(found.settings.iter().any(|one| one.name() == "compileroptions.strict"));
    }
}

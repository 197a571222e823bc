//! The modules of a tree, and what they require (<https://go.dev/ref/mod>).

use std::cell::OnceCell;

use crate::tree::{Tree, folder};

#[derive(Default)]
pub struct Modules {
    all: OnceCell<Vec<GoModule>>,
}

/// One `go.mod`.
pub(super) struct GoModule {
    /// The folder it stands in.
    pub(super) at: String,
    pub(super) name: String,
    pub(super) requires: Vec<String>,
    /// Paths that `replace` names on its left.
    pub(super) replaces: Vec<String>,
}

impl Modules {
    pub(super) fn all(&self, tree: &Tree) -> &[GoModule] {
        self.all.get_or_init(|| {
            let files = tree.find(&["*.mod"], 400);
            let read = |path: &String| Some(GoModule::read(folder(path), &tree.text(path)?));
            let is_main = |path: &&String| path.rsplit('/').next() == Some("go.mod");
            let (main, others): (Vec<&String>, Vec<&String>) = files.iter().partition(is_main);
            let mut all: Vec<GoModule> = main.into_iter().filter_map(read).collect();
            // `go test -modfile=go_test.mod`: the same module with more to require.
            for other in others.into_iter().filter_map(read) {
                if let Some(module) = all.iter_mut().find(|module| module.at == other.at && module.name == other.name) {
                    module.requires.extend(other.requires);
                    module.replaces.extend(other.replaces);
                }
            }
            all
        })
    }
}

impl GoModule {
    fn read(at: &str, text: &str) -> Self {
        let mut module =
            GoModule { at: at.to_owned(), name: String::new(), requires: Vec::new(), replaces: Vec::new() };
        let mut block = "";
        for line in text.lines().take(20_000) {
            let line = line.split("//").next().unwrap_or_default().trim();
            let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(['"', '`'])).collect();
            let (directive, subject) = match (block, words.as_slice()) {
                (_, []) => continue,
                (_, [")", ..]) => {
                    block = "";
                    continue;
                }
                (_, [directive, "(", ..]) => {
                    block = directive;
                    continue;
                }
                ("", [directive, subject, ..]) => (*directive, *subject),
                ("", _) => continue,
                (block, [subject, ..]) => (block, *subject),
            };
            match directive {
                "module" => module.name = subject.to_owned(),
                "require" => module.requires.push(subject.to_owned()),
                "replace" => module.replaces.push(subject.to_owned()),
                _ => {}
            }
        }
        module
    }
}

#[cfg(test)]
mod tests {
    use super::GoModule;

    #[test]
    fn directives() {
        let text = "module example.com/m // x\ngo 1.22\nrequire a.b/c v1\nrequire (\n\td.e/f v2 // indirect\n)\nreplace g.h/i => ../i\n";
        let module = GoModule::read("", text);
        assert_eq!(module.name, "example.com/m");
        assert_eq!(module.requires, ["a.b/c", "d.e/f"]);
        assert_eq!(module.replaces, ["g.h/i"]);
    }
}

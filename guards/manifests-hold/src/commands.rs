//! What the commands of a manifest run.

use commands::Runs;
use configuration::key;
use guard_sdk::files::{Globs, relative::folder};
use resolution::Tree;

use crate::missing::{Missing, is_compiled_from, may_be_made, place};
use crate::named::Named;

pub fn missing(tree: &Tree, at: &str, named: &Named, all: &[Named], generated: &Globs) -> Vec<Missing> {
    let text = &named.value;
    let mut found = Vec::new();
    for (command, runs) in commands::collect(text) {
        match runs {
            Runs::File(file) => {
                let Some(path) = place(at, file) else { continue };
                let name = path.rsplit('/').next().unwrap_or(&path);
                // An earlier command may have made it.
                let is_made =
                    text.split(command).next().is_some_and(|above| !above.trim().is_empty() && above.contains(name));
                if is_made
                    || tree.is_file(&path)
                    || is_compiled_from(tree, &path)
                    || may_be_made(tree, &path, generated)
                {
                    continue;
                }
                // A compiler may write JavaScript into a folder that is not there.
                let is_certain = !path.ends_with("js") || (folder(&path) != at && tree.is_folder(folder(&path)));
                found.push(Missing::file(path, is_certain));
            }
            Runs::Script(name) => {
                let wanted = format!("scripts.{}", key(name));
                let mut scripts = all.iter().filter(|other| other.key.starts_with("scripts.")).peekable();
                if scripts.peek().is_some() && !scripts.any(|script| script.key == wanted) {
                    found.push(Missing { rule: "script-missing", what: name.to_owned(), is_certain: true });
                }
            }
        }
    }
    found
}

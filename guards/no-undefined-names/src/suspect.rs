//! A name that nothing binds, and how that came.

use std::collections::BTreeMap;

use guard_sdk::Finding;
use guard_sdk::language::{NameRole, UnboundName};

/// One name of one file.
pub struct Suspect {
    pub name: String,
    /// Lines of the candidate that use it, ascending, and how.
    pub uses: Vec<(u32, NameRole)>,
    pub cause: Cause,
    /// The name that was probably meant.
    pub nearest: Option<String>,
    /// The change itself writes the comment that says that another file binds it, or, in a test, that it is meant.
    pub is_declared_here: bool,
}

/// What the change did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It took away the import, which stood in that line of the base.
    Import(u32),
    /// It took away or renamed a definition of the base, which stood in that line.
    Definition(u32),
    /// The base does not bind the name either: the change uses it for the first time.
    New,
    /// It lists the name in `__all__`.
    Export,
}

/// The suspects of a file, by name.
#[derive(Default)]
pub struct Suspects(BTreeMap<String, Suspect>);

impl Suspects {
    pub fn add(&mut self, used: &UnboundName, cause: Cause) {
        let suspect = self.0.entry(used.name.clone()).or_insert_with(|| Suspect {
            name: used.name.clone(),
            uses: Vec::new(),
            cause,
            nearest: used.nearest.clone(),
            is_declared_here: false,
        });
        suspect.uses.push((used.line, used.role));
    }

    /// In the order of their lines. `bound` is how many names the file binds.
    pub fn into_vec(self, bound: usize) -> Vec<Suspect> {
        let mut suspects: Vec<Suspect> = self.0.into_values().collect();
        // A snippet: who forgets a name or two does not forget most of them.
        let new = suspects.iter().filter(|suspect| suspect.cause == Cause::New).count();
        if new >= 5 && new * 3 > bound {
            suspects.retain(|suspect| suspect.cause != Cause::New);
        }
        suspects.sort_by(|a, b| (a.first(), &a.name).cmp(&(b.first(), &b.name)));
        suspects
    }
}

impl Suspect {
    fn first(&self) -> u32 {
        self.uses.first().map_or(1, |(line, _)| *line)
    }

    pub fn finding(&self, path: &str) -> Finding {
        let name = &self.name;
        let mut lines: Vec<u32> = self.uses.iter().map(|(line, _)| *line).collect();
        lines.dedup();
        let lines = lines.as_slice();
        let meant = self.nearest.as_ref().map(|near| format!(" The nearest name in scope is `{near}`."));
        let meant = meant.unwrap_or_default();
        let (rule, message, help) = match self.cause {
            Cause::Import(line) => (
                "import-dropped",
                format!(
                    "`{name}` is still used {}, and the change removes its import (line {line} of the base)",
                    on(lines)
                ),
                format!("Import `{name}` again, or change every use of it.{meant}"),
            ),
            Cause::Definition(line) => (
                "definition-dropped",
                format!(
                    "`{name}` is still used {}, and nothing binds it there any more: the change removes, renames or moves what line \
                     {line} of the base binds",
                    on(lines)
                ),
                format!("Use the new name here too, or bind `{name}` again.{meant}"),
            ),
            Cause::New => (
                "name-unbound",
                format!("`{name}` is used {}, and nothing binds it", on(lines)),
                format!("Import or define `{name}` before it is used, or write the name that is meant.{meant}"),
            ),
            Cause::Export => (
                "export-unbound",
                format!("`__all__` lists `{name}`, which the module does not bind"),
                format!("Import or define `{name}` in this module, or take it out of `__all__`.{meant}"),
            ),
        };
        let finding = match (self.is_declared_here, self.cause) {
            (true, Cause::New) => Finding::warning(rule, format!("{message} but a comment that the change writes")),
            (true | false, _) => Finding::error(rule, message),
        };
        finding.at(path, self.first()).help(help)
    }
}

/// In which lines; of many, the first.
fn on(lines: &[u32]) -> String {
    const MOST: usize = 5;
    let listed: Vec<String> = lines.iter().take(MOST).map(u32::to_string).collect();
    match (lines.len(), lines.len().saturating_sub(MOST)) {
        (1, _) => format!("in line {}", listed[0]),
        (_, 0) => format!("in lines {}", listed.join(", ")),
        (_, more) => format!("in lines {} and {more} more", listed.join(", ")),
    }
}

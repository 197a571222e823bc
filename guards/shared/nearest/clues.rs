//! What a change says of the tests that it may touch.

use std::collections::BTreeSet;

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::language::{Definition, DefinitionKind};
use guard_sdk::{Change, File, Side};

use crate::{places, subject};

/// Words that are looked for.
const MOST: usize = 60;
/// Shorter names stand for many things.
const SHORTEST: usize = 3;

#[derive(Default)]
pub struct Clues {
    /// Paths of the change, whatever stands there.
    pub touched: BTreeSet<String>,
    /// What the changed files of code are about, by their names.
    pub subjects: BTreeSet<String>,
    /// The words of their names, and of those of the definitions below.
    pub words: BTreeSet<String>,
    pub said: BTreeSet<String>,
    /// Where they stand.
    pub folders: BTreeSet<String>,
    /// Definitions that the change touches, and what these belong to.
    pub names: Vec<String>,
    /// Changed files of code, as imports name them.
    pub modules: Vec<String>,
}

impl Clues {
    pub fn new(change: &Change) -> Self {
        let mut clues = Clues::default();
        let (mut names, mut modules) = (BTreeSet::new(), BTreeSet::new());
        for file in change.files() {
            clues.touched.insert(file.path().to_owned());
            if kind_of(file.path()) != Kind::Code {
                continue;
            }
            for path in [Some(file.path()), file.old_path()].into_iter().flatten() {
                clues.subjects.insert(subject::from_path(path));
                clues.words.extend(subject::words(subject::written(path)));
                clues.folders.insert(places::folder(path).to_owned());
                modules.insert(subject::written(path).to_owned());
            }
            names.extend(touched(change, &file));
        }
        let is_clue = |name: &String| name.chars().count() >= SHORTEST && !name.starts_with("__");
        clues.names = names.into_iter().filter(is_clue).take(MOST).collect();
        clues.said = clues.names.iter().flat_map(|name| subject::words(name)).collect();
        modules.retain(|module| is_clue(module) && !clues.names.contains(module));
        clues.modules = modules.into_iter().take(MOST).collect();
        clues
    }
}

/// Names of the definitions that a changed line stands in, and of those that are gone.
fn touched(change: &Change, file: &File) -> Vec<String> {
    let after = change.languages(Side::After).outline(file.path()).ok();
    let before = change.languages(Side::Before).outline(file.old_path().unwrap_or(file.path())).ok();
    let lines = file.changed_lines();
    let is_touched = |definition: &&Definition| {
        lines.iter().any(|run| *run.start() <= definition.lines.last && *run.end() >= definition.lines.first)
    };
    let mut names = Vec::new();
    if let Some(after) = &after {
        names.extend(after.definitions.iter().filter(is_touched).flat_map(said));
    }
    if let (Some(before), Some(after)) = (&before, &after) {
        names.extend(before.definitions.iter().filter(|definition| !after.defines(definition)).flat_map(said));
    }
    names
}

fn said(definition: &Definition) -> Vec<String> {
    match definition.kind {
        DefinitionKind::Test | DefinitionKind::Fixture | DefinitionKind::Module => Vec::new(),
        DefinitionKind::Function | DefinitionKind::Method | DefinitionKind::Class | DefinitionKind::Value => {
            // The innermost name of what it belongs to: `Outer.Inner`.
            let owner = definition.owner.as_deref().and_then(|owner| owner.rsplit(['.', ':']).next());
            [Some(definition.name.as_str()), owner].into_iter().flatten().map(str::to_owned).collect()
        }
    }
}

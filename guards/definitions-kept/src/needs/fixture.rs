//! Who asks for a fixture that is gone.

use guard_sdk::{Change, Side};

use super::builtin::is_fixture;
use super::{How, Need};
use crate::effort::Effort;
use crate::touched::Touched;
use guard_sdk::files::Language;
use guard_sdk::language::{Definition, DefinitionKind, Outline};

/// More files that name it are not read.
const MOST_FILES: usize = 100;

pub fn find(change: &Change, effort: &Effort, touched: &Touched, after: &Outline, lost: &Definition) -> Option<Need> {
    let name = lost.name.as_str();
    let conftest = touched.old_path.ends_with("conftest.py");
    let folder = touched.old_path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let asked_here = after.line_of_fixture(name).filter(|_| !gives(after, name)).map(|line| need(touched.path(), line));
    if is_fixture(name) || (asked_here.is_none() && !conftest) || !effort.search() {
        return None;
    }
    let repo = change.repo(Side::After);
    let mut paths: Vec<String> = repo.search(&[name], &["*.py"], 4_000).into_iter().map(|hit| hit.path).collect();
    paths.dedup();
    let mut asked = asked_here;
    for path in paths.iter().filter(|path| *path != touched.path()).take(MOST_FILES) {
        let Some(outline) = repo.text(path).ok().and_then(|text| {
            effort.read(Some(Language::Python), text.len()).then(|| effort.outline(Side::After, path)).flatten()
        }) else {
            continue;
        };
        let is_shared = path.ends_with("conftest.py") || !outline::is_test(path);
        if is_shared && outline.definitions.iter().any(|item| item.kind == DefinitionKind::Fixture && item.name == name)
        {
            return None;
        }
        let below = conftest && (folder.is_empty() || path.starts_with(&format!("{folder}/")));
        if let (None, true, Some(line)) = (&asked, below && !gives(&outline, name), outline.line_of_fixture(name)) {
            asked = Some(need(path, line));
        }
    }
    asked
}

/// Whether a test of this file gets the name from the file itself.
fn gives(outline: &Outline, name: &str) -> bool {
    outline.definitions.iter().any(|item| item.kind == DefinitionKind::Fixture && item.name == name)
        || outline.has_at_top(name)
        || outline.parametrized.iter().any(|given| given == name)
        || !outline.globs.is_empty()
}

fn need(path: &str, line: u32) -> Need {
    Need { path: path.to_owned(), line, how: How::Asks }
}

//! Who still calls a method that is gone from its class.

use guard_sdk::{Change, Side};

use super::{How, Need};
use crate::effort::Effort;
use crate::language::globs;
use crate::touched::Touched;
use crate::vanished::{is_named_elsewhere, pours_as_before};
use guard_sdk::files::Language;
use guard_sdk::language::{Definition, DefinitionKind, Outline, Visibility};
use resolution::importers::stands;

/// Bases of bases that are followed.
const DEEPEST: usize = 5;

/// The class itself, through `self` or `this`, or by the plain name of what is its own: of other objects nobody knows the class.
pub fn find(
    change: &Change,
    effort: &Effort,
    touched: &Touched,
    (before, after): (&Outline, &Outline),
    lost: &Definition,
) -> Option<Need> {
    let owner = lost.owner.as_deref()?;
    let here = Here { change, effort, touched, outline: after, member: &lost.name };
    let line = after.line_of_member(owner, &lost.name).or_else(|| here.line_of_plain_call(before, owner, lost))?;
    let is_given = match touched.language {
        Some(Language::Rust) => after.binds(&lost.name),
        _ => here.may_inherit(owner, 0),
    };
    (!is_given).then(|| Need { path: touched.path().to_owned(), line, how: How::Uses })
}

struct Here<'h> {
    change: &'h Change,
    effort: &'h Effort<'h>,
    touched: &'h Touched<'h>,
    outline: &'h Outline,
    member: &'h str,
}

impl Here<'_> {
    /// Where a class calls a private method by its name alone. That nothing else of the file, of another file or of a generator has the
    /// name must be seen, for in most languages such a call may mean a function too.
    fn line_of_plain_call(&self, before: &Outline, owner: &str, lost: &Definition) -> Option<u32> {
        let is_own = lost.visibility == Visibility::Private && self.touched.language.is_none();
        // What stands in another class may call that one's, and what that one inherits.
        let mut around = owner.match_indices('.').map(|(at, _)| &owner[..at]);
        if !is_own || self.outline.binds(self.member) || around.any(|class| self.may_inherit(class, 0)) {
            return None;
        }
        let line = self.outline.line_of_use(self.member)?;
        let annotations =
            |outline: &Outline| outline.definitions.iter().map(|one| one.annotations.len()).sum::<usize>();
        let may_be_made = annotations(self.outline) > annotations(before) || !pours_as_before(before, self.outline);
        (!may_be_made && !is_named_elsewhere(self.change, self.touched, self.member)).then_some(line)
    }

    fn may_inherit(&self, class: &str, depth: usize) -> bool {
        let mut items = self.outline.definitions.iter();
        let Some(class) = items.find(|item| item.kind == DefinitionKind::Class && item.full_name() == class) else {
            return true;
        };
        class.bases.iter().any(|base| self.gives(base, depth))
    }

    fn gives(&self, base: &String, depth: usize) -> bool {
        let items = || self.outline.definitions.iter();
        match items().any(|item| item.kind == DefinitionKind::Class && item.full_name() == *base) {
            true => {
                let has = items().any(|item| item.owner.as_ref() == Some(base) && item.name == self.member);
                has || depth >= DEEPEST || self.may_inherit(base, depth + 1)
            }
            false => !is_own(self.change, self.touched, self.outline, base) || self.is_defined_elsewhere(),
        }
    }

    /// Also when that cannot be told any more.
    fn is_defined_elsewhere(&self) -> bool {
        let (member, touched) = (self.member, self.touched);
        if !self.effort.search() {
            return true;
        }
        let hits = self.change.repo(Side::After).search(&[member], globs(touched.language), 4_000);
        hits.iter().filter(|hit| hit.path != touched.path()).any(|hit| {
            let mut line = hit.text.trim_start();
            for word in [
                "async ",
                "def ",
                "static ",
                "get ",
                "set ",
                "public ",
                "protected ",
                "private ",
                "abstract ",
                "override ",
                "*",
            ] {
                line = line.strip_prefix(word).unwrap_or(line).trim_start();
            }
            // A call is a statement of its own only behind `self.`, `this.`, or as a plain function.
            line.strip_prefix(member).is_some_and(|rest| rest.trim_start().starts_with(['(', '=', ':', '<', '?']))
        })
    }
}

/// Whether a base comes from this repository, and not from a library.
fn is_own(change: &Change, touched: &Touched, outline: &Outline, base: &str) -> bool {
    let first = base.split('.').next().unwrap_or(base);
    let Some(take) = outline.imports.iter().find(|take| take.local == first || take.local == base) else {
        return false;
    };
    if take.module.starts_with('.') {
        return true;
    }
    let package = take.module.split('.').next().unwrap_or(&take.module);
    let repo = change.repo(Side::After);
    let folder = touched.path().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let places = [package.to_owned(), format!("src/{package}"), format!("{folder}{package}")];
    touched.language == Some(Language::Python)
        && places.iter().any(|place| repo.is_dir(place) == Ok(true) || stands(&repo, &format!("{place}.py")))
}

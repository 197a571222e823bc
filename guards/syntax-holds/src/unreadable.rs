//! Files that parsed in the base and that the change puts out of this guard's sight. What cannot be judged is let pass in a file that
//! is new; in one that could be judged before, a comment in braces would be enough to leave every mistake unseen.

use guard_sdk::Finding;

use crate::parse::{self, Problem};
use crate::sides::{Piece, Sides};
use crate::syntax::Syntax;

const RULE: &str = "became-unreadable";

/// Folders of code from which other code is made. `templatetags` is none of them.
const TEMPLATE_FOLDERS: [&str; 8] =
    ["template", "templates", "_templates", "__templates__", "skeleton", "scaffold", "boilerplate", "blueprints"];

/// For a file that nests too deep to be parsed. None when it was not in the base.
pub fn too_deep(sides: &Sides) -> Option<Finding> {
    let path = sides.path;
    sides.before?;
    let message = format!("{path} parsed before this change, and now it nests too deep to be parsed");
    let help = "Nest less: give the inner parts names, or functions of their own.";
    Some(Finding::error(RULE, message).file(path).help(help))
}

/// For a file whose first bytes say that it is in no syntax of its name any more, such as a `.ts` that begins like one of Qt's
/// translations. None when its name alone says so, or the base did.
pub fn unknown(sides: &Sides, languages: &dyn Fn(&Syntax) -> bool) -> Option<Finding> {
    let path = sides.path;
    let (old_path, before) = sides.before?;
    let of = |path: &str, text: &str| Syntax::from_path(sides.change, path, text);
    let syntax = of(old_path, before).filter(|syntax| languages(syntax))?;
    let by_content = of(path, before).is_some() && of(path, sides.after).is_none();
    if !by_content || parse::read(sides, &syntax, Piece::Before).is_err() {
        return None;
    }
    let name = syntax.name();
    let message = format!("{path} was {name} that parsed, and now it begins like something else");
    Some(
        Finding::error(RULE, message)
            .at(path, 1)
            .help(format!("Write {path} as {name}, or give it another extension.")),
    )
}

/// For a file that says that it is in another language, and parsed in the base. None when it was not in the base.
pub fn foreign(sides: &Sides, why: &str) -> Option<Finding> {
    let path = sides.path;
    sides.before?;
    let message = format!("{path} parsed before this change, and now it does not: {why}");
    Some(Finding::error(RULE, message).at(path, 1).help(format!("Write {path} in the language in which it was.")))
}

/// For a file that does not parse and looks like a template. None when it was not in the base, or when its place says that it is one.
pub fn template(sides: &Sides, syntax: &Syntax, problem: &Problem) -> Option<Finding> {
    let path = sides.path;
    sides.before?;
    let folders = || path.split('/').rev().skip(1).map(str::to_ascii_lowercase);
    let stated = path.contains("{{")
        || path.contains("{%")
        || match syntax.is_data() {
            true => folders().any(|folder| folder.contains("template")),
            false => folders().any(|folder| {
                TEMPLATE_FOLDERS.contains(&folder.as_str())
                    || ["-template", "-templates", "_template", "_templates"].iter().any(|end| folder.ends_with(end))
            }),
        };
    if stated {
        return None;
    }
    let name = syntax.name();
    let message = format!("{path} was {name} that parsed, and now it is taken for a template: {}", problem.message);
    Some(Finding::error(RULE, message).at(path, problem.line).help(format!(
        "Write {path} so that it parses as {name}. If it is to be a template, say so in its name ({path}.j2) or put it into a folder `templates`."
    )))
}

//! Short names that stand for more than one ref.

use git2::Repository;
use guardhost_core::change::Oid;

/// Where git looks for a short name, in this order; what it says of a second one is a warning.
const PLACES: [(&str, &str); 4] =
    [("refs/tags/", ""), ("refs/heads/", ""), ("refs/remotes/", ""), ("refs/remotes/", "/HEAD")];

/// The refs that the name at the begin of a revision stands for, where they have different commits.
pub(super) fn refs(repo: &Repository, revision: &str) -> Option<Vec<String>> {
    let name = revision.split(['~', '^', ':']).next().and_then(|name| name.split("@{").next())?;
    // A full name, `HEAD` and the like come before all short ones, and so does a whole object id.
    if name.is_empty()
        || repo.find_reference(name).is_ok()
        || Oid::from_str(name).is_ok_and(|id| id.to_string() == name)
    {
        return None;
    }
    let target = |full: String| {
        let object = repo.find_reference(&full).ok()?.peel(git2::ObjectType::Any).ok()?;
        let commit = object.peel_to_commit().map_or(object.id(), |commit| commit.id());
        Some((full, commit))
    };
    let found: Vec<(String, Oid)> =
        PLACES.iter().filter_map(|(before, after)| target(format!("{before}{name}{after}"))).collect();
    let differ = found.iter().any(|(_, commit)| *commit != found[0].1);
    differ.then(|| found.into_iter().map(|(full, _)| full).collect())
}

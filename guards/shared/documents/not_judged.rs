//! Documents for which the limits of a call do not suffice.

use guard_sdk::Finding;

/// One finding of the rule `not-judged` for all documents of these paths: a change that is too large has hundreds of them. None for none.
pub fn not_judged(paths: &[&str]) -> Option<Finding> {
    const SHOWN: usize = 5;
    let (first, rest) = paths.split_first()?;
    let message = match rest {
        [] => format!("{first} was not judged: the change is larger than one call can read"),
        _ => {
            let shown = paths[..paths.len().min(SHOWN)].join(", ");
            let more = if paths.len() > SHOWN { ", …" } else { "" };
            format!(
                "{} documents were not judged: the change is larger than one call can read: {shown}{more}",
                paths.len()
            )
        }
    };
    Some(Finding::info("not-judged", message).file(first))
}

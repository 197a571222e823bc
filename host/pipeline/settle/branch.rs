//! Names of the branches of runs.

/// Characters of the task in a branch's name: what `git branch` shows without wrapping.
const SLUG: usize = 40;
/// Characters of the run's id. The end of a UUIDv7 is random; its beginning is a time.
const UNIQUE: usize = 8;

/// `guardhost/let-x-accept-none-1f3a9c2e`: the first words of the task, and the end of the run's id. Only letters, digits and hyphens of
/// ASCII, so that the name is valid for git and unquoted in every shell.
pub fn branch_name(task: &str, run: &str) -> String {
    let line = task.trim_start().lines().next().unwrap_or_default();
    let mut slug = String::new();
    for word in line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let joined = format!("{slug}{}{}", if slug.is_empty() { "" } else { "-" }, word.to_ascii_lowercase());
        if joined.len() > SLUG {
            break;
        }
        slug = joined;
    }
    if slug.is_empty() {
        slug.push_str("run");
    }
    let unique: String = run.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("guardhost/{slug}-{}", &unique[unique.len().saturating_sub(UNIQUE)..])
}

#[cfg(test)]
mod tests {
    use super::branch_name;

    const RUN: &str = "01a2010e-95f8-735b-8d43-0b1f3a9c2e44";

    #[test]
    fn a_branch_is_named_after_the_task() {
        let long = "Rename the parser's error type everywhere it is used, and mention it in the changelog";
        for (task, name) in [
            ("Let x() accept `None`", "guardhost/let-x-accept-none-3a9c2e44"),
            ("  \nFix\nthis", "guardhost/fix-3a9c2e44"),
            (long, "guardhost/rename-the-parser-s-error-type-3a9c2e44"),
            ("../../heads/main.lock @{1}", "guardhost/heads-main-lock-1-3a9c2e44"),
            ("\u{6539}\u{8fdb}", "guardhost/run-3a9c2e44"),
            (&"x".repeat(90), "guardhost/run-3a9c2e44"),
        ] {
            assert_eq!(branch_name(task, RUN), name, "{task}");
        }
    }
}

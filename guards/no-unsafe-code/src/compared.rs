//! Comparisons of secrets that took as long for any answer, and now tell by their time how much of a guess is right.

use guard_sdk::{Change, File, Finding};

/// Functions that compare in constant time, of the standard libraries and of what is used most.
#[rustfmt::skip]
const CONSTANT: [&str; 11] = [
    "compare_digest(", "timingSafeEqual(", "secure_compare(", "fixed_length_secure_compare(", "hmac.Equal(", "ConstantTimeCompare(", "hash_equals(", "FixedTimeEquals(", "MessageDigest.isEqual(",
    "subtle.verify(", "constant_time_eq(",
];

pub fn judge(change: &Change, file: &File, after: &str) -> Option<Finding> {
    let before = if file.before().is_regular() { file.before().text().ok()? } else { return None };
    let removed = file.removed_lines().ok()?;
    if !removed.iter().any(|line| CONSTANT.iter().any(|call| line.text.contains(call))) {
        return None;
    }
    let call = CONSTANT.iter().find(|call| before.matches(**call).count() > after.matches(**call).count())?;
    // Another function of the kind may stand for it, or the whole may have moved.
    let gained = CONSTANT.iter().any(|call| after.matches(*call).count() > before.matches(*call).count());
    let is_elsewhere = change.files().filter(|other| other.path() != file.path()).any(|other| {
        let text = |version: guard_sdk::Version| {
            if version.is_regular() { version.text().unwrap_or_default() } else { String::new() }
        };
        CONSTANT
            .iter()
            .any(|call| text(other.after()).matches(*call).count() > text(other.before()).matches(*call).count())
    });
    if gained || is_elsewhere {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let line = file.hunks().into_iter().find_map(|hunk| {
        let part = |lines: &[&'_ str], start: u32, count: u32| -> Vec<String> {
            lines
                .iter()
                .skip(start.saturating_sub(1) as usize)
                .take(count as usize)
                .map(|line| (*line).to_owned())
                .collect()
        };
        let went = part(&old, hunk.old_start, hunk.old_lines).iter().any(|line| line.contains(call));
        let came = part(&new, hunk.new_start, hunk.new_lines);
        let compares = |line: &String| [" == ", " === ", " != ", " !== "].iter().any(|sign| line.contains(sign));
        let at = came.iter().position(compares).filter(|_| went)?;
        Some(hunk.new_start + u32::try_from(at).unwrap_or(0))
    })?;
    let name = call.trim_end_matches('(');
    let finding = Finding::error(
        "comparison-timed",
        format!("`{name}` gives way to a comparison whose time tells how much of a guess is right"),
    );
    Some(finding.at(file.path(), line).help(format!("Compare secrets by `{name}`.")))
}

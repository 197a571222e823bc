//! A change must not edit the rules that judge it.

use guardhost_core::change::{Candidate, Refused};
use guardhost_patch::sanitize::{Rules, check_rule_files};

/// For changes that git has already (staged, a range, a work tree): patches are checked by `sanitize`, which refuses more.
///
/// # Errors
/// [`Refused`] for the first file of the rules that `candidate` changes, removes or renames.
pub fn check_rules_untouched(candidate: &Candidate, rules: &Rules) -> Result<(), Refused> {
    let touched = candidate.files.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten();
    check_rule_files(&touched.cloned().collect::<Vec<_>>(), rules)
}

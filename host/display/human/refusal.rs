//! Why a patch was not judged: `misfit[ambiguous]: …`, a line for each place.

use super::writer::{BOLD, PageWriter, RED};
use guardhost_report::RefusalReport;
use guardhost_report::escape;

pub fn refusal(page: &mut PageWriter, refusal: &RefusalReport) {
    let label = page.paint(RED, &format!("{}[{}]", refusal.kind.as_str(), escape::inline(&refusal.code, 64)));
    if refusal.at.is_empty() {
        // Most messages name the path themselves.
        let path = refusal.path.as_ref().map(|path| format!("{path}: "));
        let path = path.filter(|path| !refusal.message.starts_with(path.as_str())).unwrap_or_default();
        page.labelled(&label, &format!("{path}{}", refusal.message), BOLD);
        return;
    }
    for at in &refusal.at {
        let label = page.paint(RED, &format!("{}[{}]", refusal.kind.as_str(), at.code));
        let hunk = at.hunk.map(|hunk| format!(", hunk {hunk}")).unwrap_or_default();
        page.labelled(&label, &format!("{}{hunk}: {}", at.path, at.message), BOLD);
    }
}

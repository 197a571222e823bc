//! Where issues come from: a list as JSON, SARIF of any scanner, a report of an audit, the tracker of a forge.

mod audit;
mod json;
mod sarif;
mod tracked;

use std::path::Path;

use guardhost_core::error::{Fault, FaultKind, Result};

pub use sarif::{ScannerFinding, sarif};
pub use tracked::tracked;

use super::issue::{Issue, settle_list};

/// Issues of one run. More are fixed in several.
const ISSUES: usize = 500;

/// What a file of issues is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueFormat {
    Json,
    Sarif,
    Audit,
}

/// Reads the issues of a file. `origin` names it in messages; `root` is the work tree, for absolute paths in SARIF.
///
/// # Errors
/// [`FaultKind::Usage`]: it is no such file, an entry makes no sense, there are more than 500.
pub fn issues(format: IssueFormat, bytes: &[u8], origin: &str, root: Option<&Path>) -> Result<Vec<Issue>> {
    let wrong = |what: String| Fault::new(FaultKind::Usage, format!("{origin}: {what}"));
    let found = match format {
        IssueFormat::Json => json::issues(bytes).map_err(|what| wrong(what).hint(json::HINT))?,
        IssueFormat::Sarif => sarif::issues(bytes, root).map_err(|what| wrong(what).hint("SARIF 2.1.0 is read"))?,
        IssueFormat::Audit => audit::issues(bytes, origin)?,
    };
    if found.len() > ISSUES {
        let what = format!("{} issues; {ISSUES} are the most of one run", found.len());
        return Err(wrong(what).hint("let the scanner report fewer rules or fewer files").into());
    }
    Ok(settle_list(found).map_err(wrong)?)
}

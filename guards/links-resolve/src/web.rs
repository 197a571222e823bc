//! Addresses of the web that the change adds, asked all at once.

use std::collections::BTreeMap;

use guard_sdk::{Change, Finding, Liveness, log};

/// Addresses, each with the first place where it stands.
#[derive(Default)]
pub struct Web {
    urls: BTreeMap<String, (String, u32)>,
}

/// Why no verdict rests on some addresses: this many are named.
const SHOWN: usize = 3;

impl Web {
    pub fn add(&mut self, url: String, path: &str, line: u32) {
        if is_meant(&url) {
            self.urls.entry(url).or_insert_with(|| (path.to_string(), line));
        }
    }

    pub fn ask(self, change: &Change) -> Vec<Finding> {
        if self.urls.is_empty() {
            return Vec::new();
        }
        let urls: Vec<String> = self.urls.keys().cloned().collect();
        let answers = match change.net().probe(&urls) {
            Ok(answers) => answers,
            Err(why) => vec![Liveness::Unknown(format!("the host does not ask: {why:?}")); urls.len()],
        };
        let mut findings = Vec::new();
        let mut unknown = Vec::new();
        for ((url, (path, line)), answer) in self.urls.iter().zip(answers) {
            match answer {
                Liveness::Alive(_) => {}
                Liveness::Gone(why) => findings.push(
                    Finding::error("link-gone", format!("the link to {url} leads nowhere: {why}"))
                        .at(path, *line)
                        .help("Link to a page that exists, or leave the link out."),
                ),
                Liveness::Unknown(why) | Liveness::Refused(why) | Liveness::Other(why) => {
                    unknown.push(format!("{url} ({why})"))
                }
            }
        }
        log::metric("addresses-asked", urls.len() as f64);
        log::metric("addresses-unknown", unknown.len() as f64);
        unknown.iter().for_each(log::info);
        if !unknown.is_empty() {
            let more = if unknown.len() > SHOWN { ", …" } else { "" };
            let shown = unknown[..unknown.len().min(SHOWN)].join(", ");
            let message =
                format!("{} of {} new addresses could not be judged: {shown}{more}", unknown.len(), urls.len());
            findings.push(Finding::info("links-unknown", message));
        }
        findings
    }
}

/// Whether an address is one: not an example's, not this machine's, not one that the release or the change itself will make.
fn is_meant(url: &str) -> bool {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let (host, path) = rest.split_once(['/', '?', '#']).unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let host = host.split(':').next().unwrap_or_default();
    host.contains('.') && !is_example(host) && !is_address(host) && !is_forges_own(path) && !is_filled_in(path)
}

/// Names kept for documents (RFC 2606), and names that say they are examples.
fn is_example(host: &str) -> bool {
    let mut labels = host.rsplit('.');
    let last = labels.next().unwrap_or_default();
    let own = labels.next().unwrap_or_default();
    matches!(last, "example" | "test" | "invalid" | "localhost" | "local" | "internal")
        || host.split('.').any(|label| matches!(label, "example" | "localhost" | "foo" | "bar" | "domain"))
        || ["example", "your", "placeholder"].iter().any(|word| own.contains(word))
        || ["my", "your", "some"].iter().any(|word| {
            host.starts_with(&format!("{word}-"))
                || host.starts_with(&format!("{word}."))
                || own.starts_with(&format!("{word}-"))
        })
}

/// By number: a document that names one means a machine of the reader's.
fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Pages that a forge keeps of a repository: comparisons and tags may be made after the commit that links to them, issues and
/// pull requests may be seen by members only, and so may a file of a branch.
fn is_forges_own(path: &str) -> bool {
    let parts: Vec<&str> = path.split(['/', '?', '#']).collect();
    #[rustfmt::skip]
    const PAGES: [&str; 18] = [
        "compare", "releases", "issues", "pull", "pulls", "merge_requests", "discussions", "commit", "commits", "blob", "tree", "raw", "edit", "actions", "tags",
        "milestone", "security", "-",
    ];
    parts.get(2).is_some_and(|page| PAGES.contains(page)) || parts.contains(&"-")
}

/// Parts of a path that a reader is to replace.
fn is_filled_in(path: &str) -> bool {
    path.split(['/', '?', '&', '=', '#']).any(|part| {
        let lower = part.to_ascii_lowercase();
        let named = ["your", "example", "username", "placeholder", "xxx", "foo", "org-name", "my-"];
        named.iter().any(|word| lower.starts_with(word))
            || (part.len() > 2 && part.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::is_meant;

    #[test]
    fn addresses_and_examples() {
        for url in
            ["https://b2v.github.io/docs/usage", "http://a.bc", "https://github.com/o/r", "https://docs.rs/serde/1?x#y"]
        {
            assert!(is_meant(url), "{url}");
        }
        for url in [
            "https://example.com/x",
            "http://localhost:3000",
            "http://127.0.0.1/x",
            "http://[::1]/",
            "https://your-domain.com/x",
            "https://github.com/your-name/repo",
            "https://github.com/o/r/compare/v1...v2",
            "https://github.com/o/r/issues/12",
            "https://gitlab.com/a/b/c/-/issues/1",
            "https://api.internal/x",
            "http://registry/x",
            "https://github.com/o/r/blob/main/x",
            "https://my-app.fly.dev/",
            "https://a.example/x",
            "https://u:p@localhost/x",
            "https://host.bc/REPO_NAME/x",
        ] {
            assert!(!is_meant(url), "{url}");
        }
    }
}

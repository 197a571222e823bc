//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("link-broken", "a new link, or an old one that worked before, leads to no file or folder. A warning where the line that it replaces linked to the same name in another form, and to nothing either"),
    Rule::new("anchor-broken", "the document exists, but has no such heading or id. A warning between pages of a site, where generators and plugins make anchors that no document shows, and where only the hyphens differ from the forge's (READMEs and documents at the root aside)"),
    Rule::new("link-gone", "the web server answers 404 or 410 (to `GET` as well as to `HEAD`), or there is no such host"),
    Rule::new("links-unknown", "info: some addresses could not be judged: no network, no answer, 403, 5xx, or an address that the host does not contact. Nothing is rejected for them"),
    Rule::new("unreadable", "info: a document is not text"),
    Rule::new("not-judged", "info: a document was not read, because the change has more than 1.6 MB of documents"),
    Rule::new("too-many-links", "info: how many links were not followed, because they lead to more than 60,000 paths, and how many findings beyond 500 are not listed"),
    Rule::new("not-looked-for", "info: links of other documents to what went were not looked for, because the repository has 4,000 documents or more"),
];

//! The frame of every page: head, navigation, style, script, and the policy that lets nothing else run.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::PageContext;
use super::location::{Page, SourceLocation};
use super::text::{count, inline};
use super::words::words;

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/page.js");
/// Of a file, whose list of runs no server finds.
const LIST: &str = include_str!("../assets/list.js");
const LIVE: &str = include_str!("../assets/live.js");

/// Milliseconds between two looks of a page about a queue.
const REFRESH: u32 = 2_000;

/// A whole HTML document.
#[derive(Debug, Clone)]
pub struct Document {
    pub html: String,
    /// The content security policy. The document names it too, but for what only a header may say: a server sends it as a header as well.
    pub policy: String,
}

/// All pages of a file, each with the id of its section.
pub fn file(context: &PageContext<'_>, sections: Vec<(String, Markup)>) -> Document {
    let body = html! {
        @for (id, section) in &sections { section.page id=(id) { (section) } }
    };
    frame(
        context,
        None,
        "Guardhost report",
        body,
        (format!("{LIST}\n{SCRIPT}"), " form-action 'none';"),
        links(context, None),
    )
}

/// One page that belongs to no others.
pub fn alone(context: &PageContext<'_>, title: &str, section: Markup) -> Document {
    let body = html! { section.page id="page" { (section) } };
    frame(context, None, title, body, (SCRIPT.to_owned(), " form-action 'none';"), Vec::new())
}

/// One page of a server.
pub fn served(context: &PageContext<'_>, page: &Page, section: Markup) -> Document {
    let title = match page {
        Page::Board => "Guardhost".to_owned(),
        page => format!("Guardhost {}", page.path()),
    };
    let body = html! { section.page id="page" { (section) } };
    let script = (format!("{SCRIPT}\n{LIVE}"), " connect-src 'self'; form-action 'self';");
    let document = frame(context, Some(page), &title, body, script, links(context, Some(page)));
    Document { policy: format!("{}; frame-ancestors 'none'", document.policy), ..document }
}

fn frame(
    context: &PageContext<'_>,
    here: Option<&Page>,
    title: &str,
    body: Markup,
    (script, more): (String, &str),
    links: Vec<(&'static str, Page)>,
) -> Document {
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}';{more} base-uri 'none'",
        hash(STYLE),
        hash(&script)
    );
    let events = match context.place {
        SourceLocation::File => None,
        SourceLocation::Server(mount) => mount.events.as_deref(),
    };
    // No event tells what a queue holds.
    let refresh = (here == Some(&Page::Fleet)).then_some(REFRESH);
    let brand = if links.is_empty() { "#main".to_owned() } else { context.place.href(&Page::Board) };
    let page = html! {
        (DOCTYPE)
        html lang="en" data-events=[events] data-run=[here.and_then(Page::run)] data-refresh=[refresh] {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the page" }
                header.top {
                    a.brand href=(brand) { span.sign aria-hidden="true" { "▚" } "Guardhost" }
                    nav aria-label="Pages" {
                        @for (word, page) in &links {
                            @let current = (here == Some(page)).then_some("page");
                            a href=(context.place.href(page)) aria-current=[current] { (word) }
                        }
                    }
                    span.live id="live" role="status" {}
                    button type="button" id="theme" hidden aria-label="Light or dark" title="Light or dark (t)" { "◐" }
                    button type="button" id="keys" hidden aria-label="Keys" title="Keys (?)" { "?" }
                }
                main id="main" tabindex="-1" {
                    @if context.bundle.redacted {
                        p.note { "Redacted: prompts, replies, changes, messages and paths were removed." }
                    }
                    (body)
                }
                footer { (words()) (footer(context)) }
                (keys())
                script { (PreEscaped(&script)) }
            }
        }
    };
    Document { html: page.into_string(), policy }
}

/// The pages that every page names.
fn links(context: &PageContext<'_>, here: Option<&Page>) -> Vec<(&'static str, Page)> {
    let mut links =
        vec![("Runs", Page::Board), ("Guards", Page::Guards), ("Files", Page::Files), ("Statistics", Page::Statistics)];
    // Most repositories have none of these.
    links.extend(context.has_rulings().then_some(("Savings", Page::Gate)));
    links.extend((context.has_issues() || here == Some(&Page::Issues)).then_some(("Issues", Page::Issues)));
    // The page of the fleet is made of no runs, and a server with a fleet judges pull requests.
    let has_pulls = context.has_pulls() || here == Some(&Page::Pulls) || here == Some(&Page::Fleet);
    links.extend(has_pulls.then_some(("Pull requests", Page::Pulls)));
    let has_fleet = matches!(context.place, SourceLocation::Server(mount) if mount.has_fleet);
    links.extend(has_fleet.then_some(("Fleet", Page::Fleet)));
    links
}

fn footer(context: &PageContext<'_>) -> Markup {
    let left_out = match context.place {
        SourceLocation::File => context.runs.len().saturating_sub(context.limits.runs),
        SourceLocation::Server(_) => 0,
    };
    let makers: Vec<&str> = context.bundle.made_by.iter().map(String::as_str).collect();
    html! {
        p { "Made by " (inline(&makers.join(", "), 300)) ". Times are yours; UTC is in their titles." }
        @if left_out > 0 {
            p.note { "Left out: the pages of the " (count(left_out, "oldest run", "oldest runs")) ". Their figures are counted." }
        }
    }
}

fn keys() -> Markup {
    let keys = [
        ("j  k", "next and previous finding"),
        ("n  p", "next and previous file"),
        ("[  ]", "previous and next stage"),
        ("e", "open or close all files"),
        ("b", "all runs"),
        ("/", "find a run"),
        ("t", "light or dark"),
        ("?", "these keys"),
    ];
    html! {
        dialog id="help" aria-label="Keys" {
            h2 { "Keys" }
            dl { @for (key, what) in keys { dt { kbd { (key) } } dd { (what) } } }
            form method="dialog" { button { "Close" } }
        }
    }
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

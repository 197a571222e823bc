//! Sentences that say what the project is built with. A name alone claims nothing: documents speak of frameworks for many reasons.

use crate::names::{Framework, Mention, Names};
use crate::prose::{Block, sentences};

/// What a block claims.
pub fn claims(block: &Block, names: &Names) -> Vec<&'static Framework> {
    // A package that is itself a plugin says so in its title.
    let is_title = |level: usize, heading: &str| level == 0 && heading.contains("plugin");
    if block.headings.iter().enumerate().any(|(level, heading)| is_aside(heading) && !is_title(level, heading)) {
        return Vec::new();
    }
    let in_stack = block.headings.last().is_some_and(|heading| is_stack(heading));
    let mut claimed = Vec::new();
    for sentence in sentences(&block.text) {
        // A name in quotes is a word that is spoken of, as in a list of what somebody may say.
        let is_quoted = |mention: &Mention| {
            sentence[..mention.start].ends_with(['"', '“']) && sentence[mention.end..].starts_with(['"', '”', ','])
        };
        let found: Vec<Mention> = names.mentions(sentence).into_iter().filter(|mention| !is_quoted(mention)).collect();
        if found.is_empty() {
            continue;
        }
        let lower = sentence.to_ascii_lowercase();
        if is_hedged(&lower) || is_open(&lower) {
            continue;
        }
        // "A React frontend talks to an Express backend": who speaks of one part that acts speaks of the others too.
        let parts = found.iter().any(|mention| {
            let next = is_part(&before(&lower, &found, mention), &lower[mention.end..]);
            next.is_some_and(|verb| PART_ACTS.contains(&verb))
        });
        let named = |mention: &&Mention| {
            let before = before(&lower, &found, mention);
            let after = &lower[mention.end..];
            says_built(&before)
                || says_uses(&before)
                || says_done(&before)
                || is_kind(&before, after)
                || is_entry(&before)
                || acts(&before, after)
                || (parts && is_part(&before, after).is_some())
        };
        claimed.extend(found.iter().filter(named).map(|mention| mention.framework));
        if in_stack && found[0].start < 24 {
            claimed.push(found[0].framework);
        }
    }
    claimed.dedup_by_key(|framework| framework.id);
    claimed
}

/// The words before a name; the other names of a list that it is part of, and what joins them, are left out.
fn before(lower: &str, found: &[Mention], mention: &Mention) -> Vec<String> {
    let mut text = String::new();
    let mut at = 0;
    for other in found.iter().take_while(|other| other.start < mention.start) {
        text.push_str(&lower[at..other.start]);
        text.push_str(" \u{1} ");
        at = other.end;
    }
    text.push_str(&lower[at..mention.start]);
    for mark in [":", "|", ",", "(", "–", "—"] {
        text = text.replace(mark, &format!(" {mark} "));
    }
    let mut words: Vec<String> =
        text.split_whitespace().map(|word| word.trim_matches(['*', '_', '"', '\'']).to_string()).collect();
    words.retain(|word| !word.is_empty());
    // Back over `React, Redux and …`.
    while words.iter().any(|word| word == "\u{1}") {
        match words.last().map(String::as_str) {
            Some("\u{1}" | "," | "and" | "&" | "+" | "with" | "plus" | "the" | "a" | "for" | "on" | "as") => {
                drop(words.pop())
            }
            _ => break,
        }
    }
    words
}

#[rustfmt::skip]
const BUILT: [&str; 20] = [
    "built", "written", "implemented", "developed", "created", "made", "powered", "rendered", "constructed", "designed", "styled", "driven", "backed",
    "based", "programmed", "bootstrapped", "scaffolded", "coded", "architected", "crafted",
];
const WITH: [&str; 9] = ["with", "in", "on", "using", "by", "upon", "from", "atop", "via"];

/// `is built with`, `is written on top of the`.
fn says_built(words: &[String]) -> bool {
    let near = &words[words.len().saturating_sub(9)..];
    let Some(verb) = near.iter().rposition(|word| BUILT.contains(&word.as_str())) else { return false };
    let between = &near[verb + 1..];
    between.iter().take(3).any(|word| WITH.contains(&word.as_str())) && !between.iter().any(|word| word == "which")
}

#[rustfmt::skip]
const USES: [&str; 14] = [
    "uses", "use", "utilizes", "utilises", "utilize", "leverages", "leverage", "employs", "employ", "adopts", "combines", "relies", "runs", "using",
];
/// What a project calls itself, and its parts.
#[rustfmt::skip]
const OWN: [&str; 52] = [
    "project", "app", "application", "frontend", "front-end", "backend", "back-end", "server", "client", "ui", "interface", "api", "service", "services", "site", "website",
    "dashboard", "codebase", "code", "we", "it", "this", "library", "tool", "package", "module", "repository", "repo", "layer", "stack", "system", "platform", "components",
    "component", "program", "cli", "webapp", "backend's", "views", "pages", "spa", "portal", "gateway", "microservice", "microservices", "styling", "state", "routing",
    "management", "architecture", "software", "suite",
];

/// `the frontend uses`, `Uses` at the beginning.
fn says_uses(words: &[String]) -> bool {
    let near = &words[words.len().saturating_sub(8)..];
    let Some(verb) = near.iter().rposition(|word| USES.contains(&word.as_str())) else { return false };
    let between = &near[verb + 1..];
    let short = between.len() <= 4
        && !between.iter().any(|word| matches!(word.as_str(), "," | ":" | "|" | "to" | "of" | "or" | "same" | "own"));
    let at = words.len() - near.len() + verb;
    let first = at == 0 && words[0] == "uses";
    // The subject stands close before its verb, and nothing else acts in between.
    let subject = words[..at].iter().rev().take(4).position(|word| OWN.contains(&word.as_str()));
    let ruled = words[..at]
        .iter()
        .any(|word| matches!(word.as_str(), "that" | "which" | "who" | "when" | "where" | "to" | "can" | "how"));
    short && (first || (subject.is_some() && !ruled && near[verb] != "using"))
}

#[rustfmt::skip]
const KINDS: [&str; 22] = [
    "application", "app", "project", "frontend", "front-end", "backend", "back-end", "server", "service", "api", "site", "website", "dashboard", "spa", "client", "webapp",
    "microservice", "interface", "ui", "codebase", "portal", "program",
];

/// `This is a React application`.
fn is_kind(words: &[String], after: &str) -> bool {
    let mut next = after.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let kind = next.by_ref().take(2).any(|word| KINDS.contains(&word));
    let near = &words[words.len().saturating_sub(5)..];
    let article = near.iter().rposition(|word| matches!(word.as_str(), "a" | "an"));
    let is = article.is_some_and(|at| at > 0 && matches!(near[at - 1].as_str(), "is" | "are"));
    let own = words.iter().take(8).any(|word| OWN.contains(&word.as_str()));
    kind && is && own
}

/// What a part of a program does.
#[rustfmt::skip]
const PART_ACTS: [&str; 18] = [
    "exposes", "serves", "handles", "provides", "powers", "renders", "talks", "stores", "manages", "runs", "drives", "delivers", "consumes", "calls", "sits", "answers", "processes", "communicates",
];
const ACTING_PARTS: [&str; 9] =
    ["backend", "back-end", "frontend", "front-end", "server", "api", "service", "ui", "dashboard"];

/// `a React frontend`: the word behind it.
fn is_part<'l>(words: &[String], after: &'l str) -> Option<&'l str> {
    let article = words.last().is_some_and(|word| matches!(word.as_str(), "a" | "an" | "our"));
    let mut next = after.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let part = next.next().filter(|word| ACTING_PARTS.contains(word));
    // `a FastAPI backend server exposes`.
    let verb = next.find(|word| !ACTING_PARTS.contains(word)).unwrap_or_default();
    (article && part.is_some()).then_some(verb)
}

const DONE: [&str; 8] = ["served", "handled", "managed", "provided", "exposed", "orchestrated", "controlled", "done"];
/// What is done by a framework, beside parts of a program.
const WORK: [&str; 12] = [
    "requests",
    "request",
    "http",
    "endpoints",
    "endpoint",
    "traffic",
    "rendering",
    "persistence",
    "authentication",
    "navigation",
    "interactivity",
    "responses",
];

/// `the API is served by`, `state is managed by`.
fn says_done(words: &[String]) -> bool {
    let words = match words.last().map(String::as_str) {
        Some("a" | "an" | "the" | "our") => &words[..words.len() - 1],
        _ => words,
    };
    let [around @ .., verb, by] = words else { return false };
    let near = around[around.len().saturating_sub(4)..].iter();
    let is = |word: &String| OWN.contains(&word.as_str()) || WORK.contains(&word.as_str());
    by == "by" && DONE.contains(&verb.as_str()) && near.clone().any(is) && around.len() <= 9
}

const ACTS: [&str; 10] =
    ["handles", "powers", "serves", "drives", "manages", "renders", "provides", "runs", "backs", "implements"];

/// `Express handles the HTTP layer`: the name begins what is said, and the rest names a part of the program.
fn acts(words: &[String], after: &str) -> bool {
    let begins = match words {
        [] => true,
        // Behind another that acts, in a list.
        [name, verb, ..] if name == "\u{1}" && ACTS.contains(&verb.as_str()) => words.len() <= 12,
        [.., last] => matches!(last.as_str(), "," | "while" | "and" | "-" | "–" | "—" | ":") && words.len() <= 12,
    };
    let mut next = after.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let verb = next.next().is_some_and(|word| ACTS.contains(&word));
    let the = next.next().is_some_and(|word| matches!(word, "the" | "our" | "its" | "all"));
    let part = |word: &str| {
        KINDS.contains(&word)
            || WORK.contains(&word)
            || ["layer", "state", "routing", "web", "styling", "views", "pages"].contains(&word)
    };
    begins && verb && the && next.take(3).any(part)
}

/// What stands before a colon in a list of parts.
#[rustfmt::skip]
const PARTS: [&str; 26] = [
    "frontend", "front-end", "backend", "back-end", "framework", "frameworks", "ui", "styling", "state", "management", "server", "api", "stack", "technologies", "technology",
    "client", "orm", "cli", "web", "tech", "built", "with", "css", "library", "components", "layer",
];

/// `Frontend: React`, `| Backend | FastAPI |`, `Tech stack: …`.
fn is_entry(words: &[String]) -> bool {
    let Some(mark) = words.iter().position(|word| matches!(word.as_str(), ":" | "|" | "–" | "—" | "-")) else {
        return false;
    };
    let key = &words[..mark];
    let key = key.strip_prefix(&["|".to_string()][..]).unwrap_or(key);
    let direct = words[mark + 1..].len() <= 2;
    !key.is_empty()
        && key.len() <= 4
        && direct
        && key.iter().all(|word| PARTS.contains(&word.as_str()) || word == "&" || word == "and" || word == "/")
}

fn is_stack(heading: &str) -> bool {
    let heading = heading.trim_matches(|c: char| !c.is_alphanumeric());
    [
        "tech stack",
        "technology stack",
        "stack",
        "our stack",
        "technologies",
        "technologies used",
        "tech",
        "built with",
        "frameworks",
        "frameworks used",
        "core technologies",
        "key technologies",
        "frontend stack",
        "backend stack",
    ]
    .contains(&heading)
}

/// Parts of a document that are about something else than what is.
fn is_aside(heading: &str) -> bool {
    #[rustfmt::skip]
    const ASIDES: [&str; 26] = [
        "roadmap", "todo", "future", "planned", "plans", "alternative", "comparison", "compare", " vs", "integration", "plugin", "example", "faq", "migrat", "inspir",
        "credit", "acknowledg", "similar", "related", "ecosystem", "users", "used by", "changelog", "release", "tutorial", "idea",
    ];
    ASIDES.iter().any(|aside| heading.contains(aside))
}

/// Whether a list goes on where the sentence ends: it names examples, and not what the project has. Translations have their own words for
/// "and so on".
fn is_open(lower: &str) -> bool {
    #[rustfmt::skip]
    const ENDS: [&str; 16] = [
        "...", "…", "etc", "ecc", "usw", "u.s.w", "dll", "v.v", "enz", "osv", "itd", "atd", "т.д", "など", "等", "등",
    ];
    let end = lower.trim_end().trim_end_matches(['.', ')', '。', ' ']);
    let is_word = |mark: &str| {
        let before = end.strip_suffix(mark).map(|rest| rest.chars().next_back());
        before.is_some_and(|last| !mark.is_ascii() || last.is_none_or(|last| !last.is_alphanumeric()))
    };
    lower.trim_end().ends_with("...") || ENDS.iter().any(|mark| is_word(mark))
}

/// Negation, plan, doubt, comparison, choice, somebody else's project.
fn is_hedged(lower: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: [&str; 58] = [
        "not", "never", "without", "cannot", "unlike", "like", "similar", "similarly", "inspired", "compared", "versus", "vs", "alternative", "alternatives", "rather", "than",
        "if", "you", "your", "you're", "you'll", "e.g", "eg", "may", "might", "could", "would", "should", "will", "plan", "plans", "planned", "consider", "future", "todo", "roadmap", "want",
        "support", "supports", "supported", "supporting", "compatible", "works", "migrated", "migrate", "migrating", "previously", "formerly", "or", "any", "either", "whether",
        "instead", "no", "example", "examples", "wrapper", "wraps",
    ];
    lower
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '.'))
        .map(|word| word.trim_matches('.'))
        .any(|word| WORDS.contains(&word) || word.ends_with("n't"))
        || [
            "such as",
            "for instance",
            "used to",
            "other projects",
            "integrates with",
            "integration with",
            "for use with",
            "for use in",
        ]
        .iter()
        .any(|phrase| lower.contains(phrase))
        || lower.trim_end().ends_with('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str, heading: &str, listed: bool) -> String {
        let headings = if heading.is_empty() { Vec::new() } else { vec![heading.to_string()] };
        let block = Block { text: text.to_string(), lines: (1, 1), headings, listed };
        claims(&block, &Names::new()).iter().map(|framework| framework.id).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_claims() {
        let cases = [
            ("The frontend is built with React and Redux, for a smooth experience.", "react redux"),
            ("This project uses Django and SQLAlchemy.", "django sqlalchemy"),
            ("The web interface is written in Vue.js.", "vue"),
            ("Built on top of FastAPI and Starlette.", "fastapi starlette"),
            ("It is a modern React application.", "react"),
            ("This is a Django project with a REST API.", "django"),
            ("Powered by Express", "express"),
            ("The UI is styled using Tailwind CSS.", "tailwindcss"),
            ("We use Redux Toolkit for state management.", "redux"),
            ("The server relies on the Actix web framework.", "actix"),
            ("Frontend: React, Tailwind", "react tailwindcss"),
            ("Backend | FastAPI | Python |", "fastapi"),
            ("The API server is implemented with the Gin framework.", "gin"),
            ("Uses Zustand for state.", "zustand"),
            ("The backend runs on Express.js and MongoDB.", "express"),
            ("The dashboard was created with Angular.", "angular"),
            ("The architecture leverages Spring Boot microservices.", "spring-boot"),
            ("The client is powered by a Svelte frontend.", "svelte"),
            ("The API is served by Flask.", "flask"),
            ("All requests are handled by the Fastify framework.", "fastify"),
            ("State is managed by Redux.", "redux"),
            ("Express handles the HTTP layer.", "express"),
            ("Django serves the API, and React renders the UI.", "django react"),
            ("A FastAPI backend exposes the data.", "fastapi"),
            ("A React frontend talks to an Express backend.", "react express"),
        ];
        for (text, expected) in cases {
            assert_eq!(quoted(text, "", false), expected, "{text}");
        }
        assert_eq!(quoted("React - UI components", "tech stack", true), "react");
        assert_eq!(quoted("Redux", "built with", true), "redux");
    }

    #[test]
    fn what_does_not() {
        for text in [
            "Next steps",
            "Click the button to build the project.",
            "Unlike React, this is plain Rust.",
            "The frontend uses \"UI\", \"React\", \"Vue\", \"component\"",
            "React to changes quickly.",
            "A solid foundation.",
            "It works with React and Vue.",
            "The specification was originally designed for use with Django.",
            "If you use React, install the plugin.",
            "It is not built with React.",
            "We plan to use Django.",
            "Supports apps written in React.",
            "Inspired by Express.",
            "There is a plugin for Vue.",
            "How to use React with this tool",
            "Some users have sites that use React.",
            "Your app uses React.",
            "It can be used with React, Vue or Svelte.",
            "Bootstrap the database with the seed.",
            "A rocket launch, a flask of water, gin and tonic.",
            "The React team maintains it.",
            "Express your ideas.",
            "See the React documentation for more.",
            "`frontend` is built by ` scripts.",
            "The project was migrated from Flask.",
            "Is it built with React?",
            "The project is maintained by the React team.",
            "Errors thrown by Express are caught.",
            "React handles the event before the listener.",
            "A React component exposes a ref.",
            "A Django server that you run handles it.",
            "Files are served by your Express server.",
            "React renders the list twice in strict mode.",
            "Frameworks: React, Next.js, Express, Django, etc.",
            "Framework: React, Express, Django, v.v.",
            "Frameworks: React, Express, ...",
            "フレームワーク: React、Express、Djangoなど",
        ] {
            assert_eq!(quoted(text, "", false), "", "{text}");
        }
        assert_eq!(quoted("The UI is built with React.", "roadmap", false), "");
    }
}

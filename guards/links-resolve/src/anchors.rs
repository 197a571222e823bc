//! What a fragment can mean in a document: its headings, by every rule of making a slug that is known to be in use, and the ids that
//! it gives itself.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::html;

#[derive(Default)]
pub struct Anchors {
    /// How often each heading stands, by its strict key.
    headings: BTreeMap<String, usize>,
    ids: Vec<String>,
    /// What would be headings if their indentation did not count: some generators take them for such inside of lists, definitions
    /// and admonitions.
    indented: Vec<String>,
    /// Parts of the document come from elsewhere, so that an absent anchor proves nothing.
    pub is_open: bool,
    /// Something in the text looks as if they did; it may be code.
    may_be_open: bool,
    /// By rule; made when the first link asks, because a document has as many links as headings.
    keys: [OnceCell<Keys>; 2],
}

/// What fragments are compared with, by one rule.
struct Keys {
    /// Ids, and headings that are only indented.
    once: HashSet<String>,
    /// How often the heading stands.
    headings: HashMap<String, usize>,
}

/// How closely a fragment must meet a heading's slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Rule {
    /// GitHub's and its like: words, joined by hyphens; how many hyphens makes no difference.
    Hyphens,
    /// A site generator's own: letters and digits only, without their marks, which some generators drop.
    Letters,
}

/// What puts another file's text, or a program's, into a document: what stands before its sign, and the rest. Few texts hold one of the
/// signs, so that looking for all of them costs one pass.
#[rustfmt::skip]
const INCLUDES: [(&str, &str); 9] = [
    ("", "{{"), ("", "{%"), ("", "{!"), ("```", "{include}"), ("--", "8<--"), ("<!--", "@include"), ("<!-- ", "@include"), ("", "@import"),
    ("include", "::"),
];

impl Anchors {
    /// Ids are looked for in the whole text: generators have many ways to write them, and one too many does no harm.
    pub fn from_text<'t>(text: &'t str, lines: impl Iterator<Item = &'t str>) -> Self {
        let mut anchors = Anchors { may_be_open: includes(text), ..Anchors::default() };
        anchors.explicit(html::ids(text).map(str::to_string));
        let has_braces = text.contains('{');
        for line in lines {
            if has_braces {
                anchors.explicit(braced_ids(line).map(str::to_string));
            }
            let trimmed = line.trim_start();
            match trimmed.bytes().next() {
                // MyST's target: `(name)=`.
                Some(b'(') => {
                    let target = trimmed.trim_end().strip_prefix('(').and_then(|line| line.strip_suffix(")="));
                    anchors.explicit(target.map(str::to_string));
                }
                Some(b':' | b'i') => anchors.is_open |= is_transclusion(line),
                Some(b'#') if line.starts_with([' ', '\t']) => {
                    let heading = trimmed.trim_start_matches('#').trim_end_matches(['\r', '\n']);
                    anchors.indented.extend(heading.starts_with(' ').then(|| heading.to_string()));
                }
                _ => {}
            }
        }
        anchors
    }

    pub fn explicit(&mut self, ids: impl IntoIterator<Item = String>) {
        self.ids.extend(ids);
    }

    /// A piece of the document that is not code.
    pub fn text(&mut self, text: &str) {
        self.is_open |= self.may_be_open && includes(text);
    }

    pub fn heading(&mut self, text: &str) {
        *self.headings.entry(key(text, Rule::Hyphens)).or_default() += 1;
    }

    pub fn has(&self, fragment: &str, rule: Rule) -> bool {
        let wanted = key(fragment, rule);
        let Keys { once, headings } = self.keys[rule as usize].get_or_init(|| self.keys_of(rule));
        let repeats = |(heading, number): (&str, usize)| {
            headings.get(heading).is_some_and(|times| *times > 1 && (1..=*times).contains(&number))
        };
        // An id that has no key is compared as it is.
        once.contains(&wanted)
            || headings.contains_key(&wanted)
            || repetitions(&wanted).any(repeats)
            || (wanted.is_empty() && self.ids.iter().any(|id| id == fragment))
    }

    fn keys_of(&self, rule: Rule) -> Keys {
        let indented = self.indented.iter().filter(|_| rule == Rule::Letters);
        let once = self.ids.iter().chain(indented).map(|name| key(name, rule)).collect();
        let mut headings: HashMap<String, usize> = HashMap::new();
        for (heading, times) in &self.headings {
            let known = headings.entry(key(heading, rule)).or_default();
            *known = (*known).max(*times);
        }
        Keys { once, headings }
    }

    /// Whether a heading's slug holds the fragment: people leave out what a generator puts before it.
    pub fn nearly_has(&self, fragment: &str) -> bool {
        let wanted = key(fragment, Rule::Letters);
        let slugs = self.headings.keys().chain(&self.ids).chain(&self.indented).map(|name| key(name, Rule::Letters));
        slugs.into_iter().any(|slug| slug.contains(&wanted))
    }

    /// The heading, as the forge names it, that a fragment means if only letters and digits count.
    pub fn spelled(&self, fragment: &str) -> Option<&str> {
        let wanted = key(fragment, Rule::Letters);
        self.names().find(|name| key(name, Rule::Letters) == wanted)
    }

    /// Names that a later version of the document does not have.
    pub fn lost(&self, later: &Anchors) -> Vec<String> {
        let kept: HashSet<&str> = later.names().collect();
        self.names().filter(|name| !kept.contains(name)).map(str::to_string).collect()
    }

    /// GitHub's slugs of the headings, and the ids.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.headings.keys().chain(&self.ids).map(String::as_str).filter(|name| !name.is_empty())
    }
}

fn includes(text: &str) -> bool {
    let text = text.as_bytes();
    let signs = text.iter().enumerate().filter(|(_, byte)| matches!(byte, b'{' | b'8' | b'@' | b':'));
    let at = |at: usize, (before, rest): &(&str, &str)| {
        text[at..].starts_with(rest.as_bytes()) && text[..at].ends_with(before.as_bytes())
    };
    signs.map(|(sign, _)| sign).any(|sign| INCLUDES.iter().any(|include| at(sign, include)))
}

/// The slugs and numbers as which a slug can be read: `-1`, `_1` or `1` stands behind that of a heading that stands more than once.
fn repetitions(slug: &str) -> impl Iterator<Item = (&str, usize)> {
    const DIGITS: usize = 9;
    let digits = slug.bytes().rev().take(DIGITS).take_while(u8::is_ascii_digit).count();
    (1..=digits).flat_map(move |digits| {
        let (before, number) = slug.split_at(slug.len() - digits);
        let joints = before.bytes().rev().take(DIGITS).take_while(|byte| matches!(byte, b'-' | b'_')).count();
        let number = number.parse().unwrap_or(0);
        (0..=joints).map(move |joint| (&before[..before.len() - joint], number))
    })
}

/// Lower case; letters, digits and `_`; a hyphen for what lies between words. (GitHub keeps marks too, and joins by as many
/// hyphens as there were spaces; both sides are read alike, so neither makes a difference.)
fn key(text: &str, rule: Rule) -> String {
    let mut key = String::with_capacity(text.len());
    for c in text.chars().flat_map(lower) {
        if rule == Rule::Letters && !c.is_ascii() {
            let bare = |c: char| {
                if c.is_alphanumeric() {
                    key.push(c)
                }
            };
            unicode_normalization::char::decompose_compatible(c, bare);
        } else if c.is_alphanumeric() || (c == '_' && rule == Rule::Hyphens) {
            key.push(c);
        } else if (c == '-' || c.is_whitespace()) && rule == Rule::Hyphens && !key.ends_with('-') && !key.is_empty() {
            key.push('-');
        }
    }
    key.truncate(key.trim_end_matches('-').len());
    key
}

/// Without a look at Unicode's tables for what has no need of them.
fn lower(c: char) -> impl Iterator<Item = char> {
    let (ascii, other) =
        if c.is_ascii() { (Some(c.to_ascii_lowercase()), None) } else { (None, Some(c.to_lowercase())) };
    ascii.into_iter().chain(other.into_iter().flatten())
}

/// `{#id}`, `{ #id .class }`, `{: #id }`, `{id="id"}`, and of a heading `{/*id*/}` and `{/* #id */}`.
fn braced_ids(line: &str) -> impl Iterator<Item = &str> {
    let is_heading = line.trim_start().starts_with('#');
    line.split('{').skip(1).filter_map(|rest| rest.split_once('}')).flat_map(move |(inside, _)| {
        let comment = inside.trim().strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")).map(str::trim);
        let commented = comment.filter(|id| is_heading && !id.contains(char::is_whitespace) && !id.starts_with('#'));
        let words = inside.split_whitespace().filter_map(|word| word.trim_matches(['/', '*', ':']).strip_prefix('#'));
        let named = inside.split_whitespace().filter_map(|word| word.strip_prefix("id="));
        let named = named.map(|id| id.trim_matches(['"', '\''])).filter(|id| !id.is_empty());
        commented.into_iter().chain(words).chain(named)
    })
}

/// `::: package.module` of mkdocstrings, and an import of one document by another.
fn is_transclusion(line: &str) -> bool {
    let module = line.trim_start().strip_prefix("::: ").is_some_and(|name| name.contains('.') && !name.contains(' '));
    module || (line.starts_with("import ") && (line.contains(".md") || line.contains(".mdx")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_in_use() {
        let of_text = |text: &'static str| Anchors::from_text(text, text.lines());
        let mut anchors = of_text("<a name=\"old\"></a>\n(label)=\n{: #kramdown .x }\n");
        for heading in [
            "Getting Started!",
            "What's new in `2.0`?",
            "Usage",
            "Usage",
            "Überblick & Ausblick",
            "foo_bar",
            "⚙️ Setup",
            "Dosya İşlemcileri файлов",
        ] {
            anchors.heading(heading);
        }
        let both = [
            "getting-started",
            "Getting-Started",
            "whats-new-in-20",
            "usage",
            "usage-1",
            "überblick--ausblick",
            "überblick-ausblick",
            "foo_bar",
            "-setup",
            "️-setup",
            "old",
            "label",
            "kramdown",
        ];
        for fragment in both {
            assert!(anchors.has(fragment, Rule::Hyphens) && anchors.has(fragment, Rule::Letters), "{fragment}");
        }
        // VitePress takes the marks off letters.
        for fragment in ["what-s-new-in-2-0", "gettingstarted", "uberblick-ausblick", "dosya-islemcileri-фаилов"]
        {
            assert!(!anchors.has(fragment, Rule::Hyphens) && anchors.has(fragment, Rule::Letters), "{fragment}");
        }
        for fragment in ["usage-3", "getting-started-1", "get-started", "setup-guide", "foo"] {
            assert!(!anchors.has(fragment, Rule::Hyphens) && !anchors.has(fragment, Rule::Letters), "{fragment}");
        }
        assert!(!anchors.is_open && of_text("::: pkg.mod\n").is_open && !of_text("::: tip\n").is_open);
    }

    #[test]
    fn what_comes_from_elsewhere() {
        for text in INCLUDES.map(|(before, rest)| format!("{before}{rest}")) {
            assert!(includes(&format!("a {text} b")) && includes(&text), "{text}");
        }
        for text in ["", "{ x } 8 <-- @ :: :", "-8<--", "``{include}", "@include", "includes::x"] {
            assert!(!includes(text), "{text}");
        }
    }
}

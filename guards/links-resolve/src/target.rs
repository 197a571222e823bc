//! What a link's target means.

use guard_sdk::path;

/// A target that can be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Url(String),
    /// A place in the repository: percent escapes and the query are gone, and the path is spelled as the host spells it. An empty
    /// path is the document itself.
    Place {
        path: String,
        fragment: String,
    },
}

impl Target {
    /// None for what is neither, or waits to be filled in: mail, scripts, templates, a site's aliases, Rust's paths.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        // `Module.function/2` in backticks: what ExDoc links to by its name.
        if text.is_empty() || text.starts_with("//") || text.starts_with('`') || has_placeholder(text) {
            return None;
        }
        if let Some((scheme, _)) = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) {
            let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            return is_web.then(|| Target::Url(text.to_string()));
        }
        let (place, fragment) = text.split_once('#').unwrap_or((text, ""));
        let path = place.split('?').next().unwrap_or_default();
        // `@site/`, `~assets/`, `^/`: aliases of bundlers and generators. `name@host`: mail.
        if path.starts_with(['@', '~', '^']) || (path.contains('@') && !path.contains('/')) || is_rust_path(path) {
            return None;
        }
        Some(Target::Place { path: path::escape(decoded(without_line(path)).as_bytes()), fragment: decoded(fragment) })
    }
}

fn has_placeholder(text: &str) -> bool {
    let in_brackets = text.starts_with('[') && text.ends_with(']');
    in_brackets
        || text.contains(['{', '}', '<', '>', '$', '*', '|', '…'])
        || text.contains("...")
        || text.contains("%7B")
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
        // `src/a.rs:12` has no scheme, and neither has `a.rs:12`.
        && !text.contains('.')
}

/// `tree_core::node::Leaf`, `Leaf::grow()`, `vec_of::macros::list!`: what documentation of Rust links to by its name. A README that is
/// made from such documentation, or taken into it, keeps them.
fn is_rust_path(path: &str) -> bool {
    let is_name = |part: &str| {
        let name = part.strip_suffix("()").or_else(|| part.strip_suffix('!')).unwrap_or(part);
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    // The root of the crate, of whose page `crate#a-heading` is a part.
    if matches!(path, "crate" | "self" | "super") {
        return true;
    }
    let path = path.strip_prefix("::").unwrap_or(path);
    path.contains("::") && path.split("::").all(is_name)
}

/// `a.rs:12` and `a.rs:12:3` are places in `a.rs`.
fn without_line(path: &str) -> &str {
    match path.rsplit_once(':') {
        Some((rest, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            without_line(rest)
        }
        _ => path,
    }
}

/// Percent escapes undone; what then is not UTF-8 stays as it was.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = rest.strip_prefix(b"%").and_then(|tail| std::str::from_utf8(tail.get(..2)?).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &rest[3..]),
            None => (bytes.push(*first), rest = tail),
        };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn targets() {
        let place = |path: &str, fragment: &str| Some(Target::Place { path: path.into(), fragment: fragment.into() });
        let cases = [
            ("a%20b.md?raw=1#%C3%BCber", place("a b.md", "über")),
            ("#top", place("", "top")),
            ("/docs/x", place("/docs/x", "")),
            ("src/a.rs:12:3", place("src/a.rs", "")),
            ("100%.md", place("100%.md", "")),
            (r"a\b%0A.md", place(r"a\x5cb\x0a.md", "")),
            ("%ff.md", place("%ff.md", "")),
            ("docs/a::b.md", place("docs/a::b.md", "")),
            ("a_b::c.md", place("a_b::c.md", "")),
            ("HTTPS://a.bc/d", Some(Target::Url("HTTPS://a.bc/d".into()))),
        ];
        for (text, expected) in cases {
            assert_eq!(Target::read(text), expected, "{text}");
        }
        let not_judged = [
            "",
            "//cdn.x/y",
            "mailto:a@b.c",
            "tel:1",
            "javascript:x()",
            "crate::Foo",
            "tree_core::node::Leaf",
            "::tree_core::Leaf::grow()",
            "tree_core::list!",
            "`Tree.Leaf.grow/2`",
            "tree_core::node::Leaf#method.grow",
            "data:image/png;base64,x",
            "{{ url }}",
            "[Description]",
            "{{url}}/x",
            "https://a.com/${VAR}",
            "@site/x.md",
            "~/x",
            "<user>/x",
            "docs/*.md",
            "https://a.bc/...",
            "ftp://a.bc",
        ];
        for text in not_judged {
            assert_eq!(Target::read(text), None, "{text}");
        }
    }
}

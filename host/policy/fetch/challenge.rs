//! `WWW-Authenticate`: how a registry wants its clients to log in.
//! <https://distribution.github.io/distribution/spec/auth/token/>

use reqwest::header::{HeaderMap, WWW_AUTHENTICATE};

#[derive(Debug, PartialEq, Eq)]
pub enum Challenge {
    /// User and password with every request.
    Basic,
    /// A token, from the server at `realm`.
    Bearer { realm: String, service: Option<String> },
}

impl Challenge {
    /// A token is preferred; None when the registry names neither.
    pub fn from_headers(headers: &HeaderMap) -> Option<Challenge> {
        let texts = headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|value| value.to_str().ok());
        let mut challenges: Vec<Challenge> = texts.filter_map(parse).collect();
        let bearer = challenges.iter().position(|challenge| matches!(challenge, Challenge::Bearer { .. }));
        match bearer {
            Some(at) => Some(challenges.swap_remove(at)),
            None => challenges.pop(),
        }
    }
}

fn parse(text: &str) -> Option<Challenge> {
    let (scheme, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    if scheme.eq_ignore_ascii_case("basic") {
        return Some(Challenge::Basic);
    }
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    let (mut realm, mut service) = (None, None);
    for (name, value) in ChallengeParameters(rest) {
        match name.to_ascii_lowercase().as_str() {
            "realm" => realm = Some(value),
            "service" => service = Some(value),
            _ => {}
        }
    }
    Some(Challenge::Bearer { realm: realm?, service })
}

/// `name="value"` pairs with commas between them. A quoted value may hold commas, and `\` before any character.
struct ChallengeParameters<'a>(&'a str);

impl Iterator for ChallengeParameters<'_> {
    type Item = (String, String);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = self.0.trim_start_matches([' ', ',']).split_once('=')?;
        let mut value = String::new();
        self.0 = match rest.strip_prefix('"') {
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                value.push_str(rest[..end].trim());
                &rest[end..]
            }
            Some(quoted) => {
                let mut chars = quoted.char_indices();
                loop {
                    match chars.next()? {
                        (at, '"') => break &quoted[at + 1..],
                        (_, '\\') => value.push(chars.next()?.1),
                        (_, c) => value.push(c),
                    }
                }
            }
        };
        Some((name.trim().to_owned(), value))
    }
}

#[cfg(test)]
mod tests {
    use super::{Challenge, parse};

    #[test]
    fn forms() {
        let bearer = |realm: &str, service: Option<&str>| {
            Some(Challenge::Bearer { realm: realm.to_owned(), service: service.map(str::to_owned) })
        };
        for (text, expected) in [
            (
                r#"Bearer realm="https://auth.example.org/token",service="registry",scope="repository:a/b:pull,push""#,
                bearer("https://auth.example.org/token", Some("registry")),
            ),
            (r#"bearer service="a, \"b\"" , Realm="https://x/t""#, bearer("https://x/t", Some("a, \"b\""))),
            ("Bearer realm=https://x/t, service=s", bearer("https://x/t", Some("s"))),
            (r#"Basic realm="x""#, Some(Challenge::Basic)),
            ("Basic", Some(Challenge::Basic)),
            (r#"Bearer service="s""#, None),
            (r#"Bearer realm="https://x/t"#, None),
            ("Negotiate", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}

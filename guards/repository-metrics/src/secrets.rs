//! Credentials of known forms, told by how they begin and by the characters behind it.

/// What a token begins with, how many characters follow at least, and what it is.
const TOKENS: [(&str, usize, &str); 14] = [
    ("ghp_", 36, "a token of GitHub"),
    ("gho_", 36, "a token of GitHub"),
    ("ghs_", 36, "a token of GitHub"),
    ("ghu_", 36, "a token of GitHub"),
    ("github_pat_", 60, "a token of GitHub"),
    ("glpat-", 20, "a token of GitLab"),
    ("AKIA", 16, "an access key of AWS"),
    ("ASIA", 16, "an access key of AWS"),
    ("AIza", 35, "a key of Google"),
    ("sk-ant-", 40, "a key of Anthropic"),
    ("sk-proj-", 40, "a key of OpenAI"),
    ("sk_live_", 24, "a key of Stripe"),
    ("xoxb-", 30, "a token of Slack"),
    ("npm_", 36, "a token of npm"),
];

/// What of a line is a credential; None when nothing is.
pub fn secret(line: &str) -> Option<&'static str> {
    if line.len() > 2_000 {
        return None;
    }
    let starts = line.contains("-----BEGIN ") && line.contains("PRIVATE KEY");
    if starts && !line.contains("...") {
        return Some("a private key");
    }
    TOKENS.iter().find_map(|(start, least, what)| {
        let is_token = |(at, _): (usize, &str)| {
            let rest = &line[at + start.len()..];
            let token: String =
                rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).collect();
            let stands_alone = line[..at].chars().next_back().is_none_or(|c| !c.is_ascii_alphanumeric());
            // `AKIAIOSFODNN7EXAMPLE`, `ghp_xxxxxxxx…`.
            let kinds = token.chars().collect::<std::collections::BTreeSet<_>>().len();
            stands_alone && token.len() >= *least && kinds >= 8 && !token.to_ascii_uppercase().contains("EXAMPLE")
        };
        line.match_indices(start).any(is_token).then_some(*what)
    })
}

//! Placeholders for what differs from run to run, or whenever a guard is built again.

use serde_json::{Value, json};

/// Fields that are times or costs: only that they are numbers is compared.
const NUMBERS: [&str; 3] = ["micros", "fuel", "seconds"];

/// Objects in which fields of these names are settings, and so compared.
const SET: [&str; 2] = ["limits", "budget"];

/// Replaces the same value by the same placeholder throughout one recording, so that references are still compared.
pub struct Mask {
    /// Texts and their placeholders, the longest first.
    pub texts: Vec<(String, &'static str)>,
    /// Ids of commits whose time differs from run to run.
    pub commits: Vec<String>,
    seen_commits: Vec<String>,
    seen_uuids: Vec<String>,
    seen_branches: Vec<String>,
}

impl Mask {
    pub fn new(texts: Vec<(String, &'static str)>, commits: Vec<String>) -> Self {
        Mask { texts, commits, seen_commits: Vec::new(), seen_uuids: Vec::new(), seen_branches: Vec::new() }
    }

    /// Keys stay as they are, and in their order.
    pub fn value(&mut self, value: &mut Value) {
        self.below("", value);
    }

    fn below(&mut self, owner: &str, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                // Its own fields are not masked, only those below it.
                let is_judgement =
                    fields.get("path").and_then(Value::as_str).is_some_and(|path| path.ends_with("judgement.json"));
                let is_component = fields.contains_key("digest");
                for (key, value) in fields.iter_mut() {
                    match value {
                        Value::Number(_) if NUMBERS.contains(&&**key) && !SET.contains(&owner) => {
                            *value = "<number>".into();
                        }
                        Value::Number(_) if key == "bytes" && is_judgement => *value = "<number>".into(),
                        Value::Number(_) if key == "size" && is_component => *value = "<number>".into(),
                        // Versions of the tools that built a component.
                        Value::Array(tools) if key == "toolchain" && !tools.is_empty() => *value = json!(["<tools>"]),
                        Value::String(text) if ["ts", "created_at"].contains(&&**key) => *text = time(text),
                        // The host's version; those of guards and objects are compared.
                        Value::String(text)
                            if ["semanticVersion", "host"].contains(&&**key)
                                || (owner.ends_with("serverInfo") && key == "version") =>
                        {
                            *text = "<version>".to_owned()
                        }
                        other => self.below(key, other),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.below(owner, item)),
            Value::String(text) => *text = self.text(text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    pub fn text(&mut self, text: &str) -> String {
        let mut text = self.branch(without_process(text));
        if let Some(size) = text.strip_suffix(" bytes")
            && size.bytes().all(|byte| byte.is_ascii_digit())
        {
            return "<number> bytes".to_owned();
        }
        // Its name says when it was begun.
        if text.starts_with("rulings/") {
            return "rulings/<time>.jsonl".to_owned();
        }
        for (from, to) in &self.texts {
            text = text.replace(from, to);
        }
        let mut out = String::with_capacity(text.len());
        let is_part = |c: char| c.is_ascii_hexdigit() || c == '-';
        let mut rest = text.as_str();
        while let Some(start) = rest.find(is_part) {
            let (before, from) = rest.split_at(start);
            out.push_str(before);
            let length = from.find(|c| !is_part(c)).unwrap_or(from.len());
            let (token, after) = from.split_at(length);
            let token = self.token(token, out.ends_with("sha256:"));
            out.push_str(&token);
            rest = after;
        }
        out + rest
    }

    /// The end of a run's branch, `guardhost/let-x-return-2-1f3a9c2e`: it is the end of the run's id.
    fn branch(&mut self, text: String) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(start) = rest.find("guardhost/") {
            let (before, from) = rest.split_at(start + "guardhost/".len());
            out.push_str(before);
            let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            let (name, after) = from.split_at(from.find(|c| !is_part(c)).unwrap_or(from.len()));
            let unique = name.rsplit_once('-').filter(|(_, end)| end.len() == 8 && !is_uuid(name));
            match unique.filter(|(_, end)| end.bytes().all(|byte| byte.is_ascii_hexdigit())) {
                Some((slug, end)) => {
                    out.push_str(&format!("{slug}-<branch-{}>", number(&mut self.seen_branches, end)));
                }
                None => out.push_str(name),
            }
            rest = after;
        }
        out + rest
    }

    fn token(&mut self, token: &str, is_digest: bool) -> String {
        if is_digest && token.len() == 64 {
            return "<hex>".to_owned();
        }
        if is_uuid(token) {
            return format!("<uuid-{}>", number(&mut self.seen_uuids, token));
        }
        let is_id = |commit: &&String| token.len() >= 12 && commit.starts_with(token);
        if let Some(commit) = self.commits.iter().find(is_id) {
            let number = number(&mut self.seen_commits, commit);
            return if commit == token { format!("<commit-{number}>") } else { format!("<commit-{number}, in short>") };
        }
        token.to_owned()
    }
}

/// From 1, in order of appearance.
fn number(seen: &mut Vec<String>, token: &str) -> usize {
    let at = seen.iter().position(|known| known == token).unwrap_or_else(|| {
        seen.push(token.to_owned());
        seen.len() - 1
    });
    at + 1
}

fn is_uuid(token: &str) -> bool {
    let lengths: Vec<usize> = token.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12]
}

/// Every digit as `0`: the format of a time is compared.
fn time(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

/// `.git/ai-rules-debug/a.md-4711.raw.out` with the process's number as `<process>`.
fn without_process(text: &str) -> String {
    let Some((folder, name)) = text.split_once(".git/ai-rules-debug/") else { return text.to_owned() };
    let (stem, rest) = name.split_once('-').unwrap();
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{folder}.git/ai-rules-debug/{stem}-<process>{rest}")
}

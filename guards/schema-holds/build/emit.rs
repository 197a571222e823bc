//! The tables as the source of statics: nothing is left to do when the guard starts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::compile::{Code, Tables};
use crate::{Result, dfa};

pub fn source(tables: &Tables) -> Result<String> {
    let all = tables.nodes.iter().flatten().flat_map(|keyword| &keyword.words);
    let mut sorted: BTreeSet<&str> = all
        .filter_map(|word| match word {
            Code::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    sorted.extend(tables.patterns.iter().map(String::as_str));
    // By their rank, so that comparing ranks compares texts.
    let rank: BTreeMap<&str, u16> = sorted.iter().enumerate().map(|(index, text)| (*text, index as u16)).collect();
    u16::try_from(rank.len())?;

    let (mut words, mut nodes) = (Vec::new(), Vec::new());
    for keywords in &tables.nodes {
        nodes.push(words.len() as u32);
        words.push(u16::try_from(keywords.len())?);
        for keyword in keywords {
            words.push(keyword.code);
            words.push(u16::try_from(keyword.words.len())?);
            for word in &keyword.words {
                words.push(match word {
                    Code::Plain(word) => *word,
                    Code::Node(node) => u16::try_from(*node)?,
                    Code::Text(text) => rank[text.as_str()],
                    Code::Pattern(pattern) => u16::try_from(*pattern)?,
                });
            }
        }
    }
    let mut patterns = Vec::new();
    for pattern in &tables.patterns {
        patterns.push((rank[pattern.as_str()], words.len() as u32));
        words.extend(dfa::words(pattern)?);
    }
    let mut ends = Vec::new();
    let text: String = sorted.into_iter().collect();
    let mut end = 0;
    for text in rank.keys() {
        end += text.len() as u32;
        ends.push(end);
    }

    let mut out = String::new();
    let mut table = |name: &str, of: &str, values: String| -> Result<()> {
        writeln!(out, "pub static {name}: &[{of}] = &[{values}];")?;
        Ok(())
    };
    table("WORDS", "u16", list(&words))?;
    table("NODES", "u32", list(&nodes))?;
    table("TEXT_ENDS", "u32", list(&ends))?;
    table("NUMBERS", "f64", tables.numbers.iter().map(|number| format!("{number:?},")).collect())?;
    table("PATTERNS", "(u16, u32)", patterns.iter().map(|pattern| format!("{pattern:?},")).collect())?;
    writeln!(out, "pub static TEXT: &str = {text:?};")?;
    writeln!(out, "pub mod root {{")?;
    for (name, node) in &tables.roots {
        let name = name.to_ascii_uppercase().replace(['-', '.'], "_");
        writeln!(out, "    #[allow(dead_code)] pub const {name}: super::Node = super::Node({node});")?;
    }
    writeln!(out, "}}")?;
    Ok(out)
}

fn list<T: std::fmt::Display>(values: &[T]) -> String {
    values.iter().fold(String::new(), |mut out, value| {
        let _ = write!(out, "{value},");
        out
    })
}

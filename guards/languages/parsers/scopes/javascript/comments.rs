//! What comments say to linters and to the compiler about names.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::Program;

use crate::scopes::Lines;

#[derive(Default)]
pub struct Said {
    /// `/* global name */`.
    pub globals: BTreeSet<String>,
    /// Undefined names are allowed in the whole file.
    pub is_silenced: bool,
    /// Lines in which they are allowed, each with the line of the comment that says so.
    pub silenced: BTreeMap<u32, u32>,
}

pub fn read(program: &Program, text: &str, lines: &Lines) -> Said {
    let mut said = Said::default();
    for comment in &program.comments {
        let span = comment.content_span();
        let words = span.source_text(text).trim().trim_start_matches('*').trim();
        let (first, last) = (lines.at(comment.span.start as usize), lines.at(comment.span.end as usize));
        if let Some(names) = ["globals ", "global ", "exported "].iter().find_map(|start| words.strip_prefix(start)) {
            let names = names.split([',', ' ', '\n', '\t', '\r']).map(|name| name.split(':').next().unwrap_or(name));
            said.globals.extend(names.filter(|name| !name.is_empty()).map(str::to_owned));
        }
        if words.contains("@ts-nocheck") {
            said.is_silenced = true;
        }
        if ["@ts-ignore", "@ts-expect-error", "eslint-disable-next-line", "biome-ignore", "$FlowFixMe"]
            .iter()
            .any(|mark| words.contains(mark))
        {
            said.silenced.insert(last + 1, last);
        } else if words.contains("eslint-disable-line") {
            said.silenced.insert(first, first);
        } else if words.starts_with("eslint-disable") {
            let rules = words.trim_start_matches("eslint-disable").split("--").next().unwrap_or_default();
            said.is_silenced |= rules.trim().is_empty() || rules.contains("no-undef");
        } else if words.starts_with("eslint ") && words.contains("no-undef") {
            said.is_silenced = true;
        }
    }
    said
}

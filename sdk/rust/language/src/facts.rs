//! What a text that parses defines and uses. A reader leaves out what it does not know: nothing here may be guessed.

use guard_sdk::language::{
    Body, Comment, Definition, DefinitionKind, ImportStatement, NameUse, Outline, Skip, SkipKind, Span,
};

use crate::parse::{Block, Kind, Parsed};

pub fn outline(parsed: &Parsed<'_>) -> Outline {
    let functions = parsed.blocks.iter().filter(|block| block.kind == Kind::Function);
    // Whoever runs the text calls a test by its block, so that no name is bound by it.
    let names = sorted(functions.map(|block| block.name).chain(parsed.imports.iter().map(|(module, _)| *module)));
    Outline {
        definitions: parsed.blocks.iter().map(definition).collect(),
        bound: names.clone(),
        top: names.clone(),
        offered: names,
        uses: uses(parsed),
        imports: parsed.imports.iter().map(|(module, line)| import(module, *line)).collect(),
        comments: parsed.comments.iter().map(|one| Comment { line: one.line, text: one.text.to_owned() }).collect(),
        dead: parsed.comments.iter().map(|one| span(&one.bytes)).collect(),
        ..Outline::empty()
    }
}

fn definition(block: &Block<'_>) -> Definition {
    let kind = match block.kind {
        Kind::Function => DefinitionKind::Function,
        Kind::Test => DefinitionKind::Test,
    };
    let body = if block.statements == 0 { Body::Empty } else { Body::Real };
    let is_test = block.kind == Kind::Test;
    Definition {
        skip: block.is_skipped.then(|| Skip::new(SkipKind::Skipped, block.lines.0, "skip")),
        assertions: is_test.then_some(block.checks),
        ..Definition::new(block.name, kind, block.lines, body)
    }
}

fn import(module: &str, line: u32) -> ImportStatement {
    let module = module.to_owned();
    ImportStatement { local: module.clone(), module, name: None, line, is_optional: false }
}

/// Each name once, by its first line, sorted by name.
fn uses(parsed: &Parsed<'_>) -> Vec<NameUse> {
    let mut uses = parsed.uses.clone();
    uses.sort_unstable();
    uses.dedup_by_key(|(name, _)| *name);
    uses.into_iter().map(|(name, line)| NameUse { name: name.to_owned(), line }).collect()
}

fn sorted<'t>(names: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn span(bytes: &std::ops::Range<usize>) -> Span {
    Span { start: bytes.start as u32, end: bytes.end as u32 }
}

//! Every touched style sheet, HCL file, Dockerfile and XML file still parses.

mod rules;
mod styles;

use guard_parsing::{Language, Parsed, Problem, Recursion, Settings, check};
use guard_sdk::{About, Change, Guard, Stage, Verdict, guard};

pub struct TextsParse;

static HCL: Language = Language {
    rule: "hcl-syntax",
    parse: hcl,
    recursion: Recursion::Brackets,
    longest_line: usize::MAX,
    largest: 1 << 20,
    help: "Fix this line so that `terraform fmt` accepts the file: one attribute a line, every block and bracket closed, strings in double quotes.",
};
static DOCKERFILE: Language = Language {
    rule: "dockerfile-syntax",
    parse: dockerfile,
    recursion: Recursion::None,
    longest_line: usize::MAX,
    largest: 1 << 20,
    help: "Each line begins with an instruction (FROM, RUN, COPY, …), continues the one above after a `\\`, or is a comment; the first instruction is FROM or ARG.",
};
static XML: Language = Language {
    rule: "xml-syntax",
    parse: xml,
    recursion: Recursion::None,
    longest_line: usize::MAX,
    largest: 1 << 20,
    help: "Fix this line so that the file is well-formed: every element closed and nested, attributes quoted, `&` and `<` in text escaped, one root element.",
};

impl Guard for TextsParse {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Every touched style sheet, HCL file, Dockerfile and XML file that parsed before still parses, and so does every added one.",
        stages: &[Stage::Content],
        globs: &[
            "*.css",
            "*.scss",
            "*.less",
            "*.tf",
            "*.tfvars",
            "*.hcl",
            "*.xml",
            "*.svg",
            "*.xsd",
            "*.xsl",
            "*.xslt",
            "*.plist",
            "*.csproj",
            "*.props",
            "*.targets",
            "*.nuspec",
            "Dockerfile",
            "Dockerfile.*",
            "*.dockerfile",
            "Containerfile",
        ],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_syntax_check.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        Ok(check(change, &settings, language))
    }
}

fn language(path: &str, _: &str) -> Option<&'static Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if matches!(name, "Dockerfile" | "Containerfile") || ending == "dockerfile" {
        return Some(&DOCKERFILE);
    }
    if name.starts_with("Dockerfile.")
        && !["template", "tmpl", "j2", "erb", "md", "in", "dockerignore"].contains(&ending)
    {
        return Some(&DOCKERFILE);
    }
    match ending {
        "css" => Some(&styles::CSS),
        "scss" => Some(&styles::SCSS),
        "less" => Some(&styles::LESS),
        "tf" | "tfvars" | "hcl" => Some(&HCL),
        "xml" | "svg" | "xsd" | "xsl" | "xslt" | "plist" | "csproj" | "props" | "targets" | "nuspec" => Some(&XML),
        _ => None,
    }
}

fn hcl(text: &str) -> Parsed {
    match hcl_edit::parser::parse_body(text) {
        Ok(_) => Parsed::Whole,
        Err(error) => {
            let place = error.location();
            let message = error.message().to_owned();
            Parsed::Broken(Problem { line: place.line() as u32, column: Some(place.column() as u32), message })
        }
    }
}

fn dockerfile(text: &str) -> Parsed {
    match parse_dockerfile::parse(text) {
        Ok(_) => Parsed::Whole,
        Err(error) => {
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            Parsed::Broken(Problem { line: error.line().max(1) as u32, column: Some(error.column() as u32), message })
        }
    }
}

/// Elements, one in another: the parser recurses for each.
const DEEPEST: usize = 500;

/// The byte at which elements nest deeper than that; comments and data sections count as they look, which no honest file notices.
fn nests_too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    for (at, _) in text.match_indices('<') {
        match bytes.get(at + 1) {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) => depth += 1,
        }
        // An element that closes itself: its end is looked for nearby only, so that the scan stays linear.
        let tag = &bytes[at..bytes.len().min(at + 2_000)];
        if tag.iter().position(|byte| *byte == b'>').is_some_and(|end| end > 1 && tag[end - 1] == b'/') {
            depth = depth.saturating_sub(1);
        }
        if depth > DEEPEST {
            return Some(at);
        }
    }
    None
}

fn xml(text: &str) -> Parsed {
    if let Some(at) = nests_too_deep(text) {
        return Parsed::Beyond(Problem::at(text, at, format!("elements nest deeper than {DEEPEST}")));
    }
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    match roxmltree::Document::parse_with_options(text, options) {
        Ok(_) => Parsed::Whole,
        // Entities that a DTD defines elsewhere are not known here.
        Err(roxmltree::Error::UnknownEntityReference(..)) if text.contains("<!DOCTYPE") => {
            Parsed::Unknown("it uses entities of a document type that is defined elsewhere")
        }
        Err(error) => {
            let place = error.pos();
            let message = error.to_string();
            let message = message.rsplit_once(" at ").map_or(message.clone(), |(message, _)| message.to_owned());
            Parsed::Broken(Problem { line: place.row, column: Some(place.col), message })
        }
    }
}

guard!(TextsParse);

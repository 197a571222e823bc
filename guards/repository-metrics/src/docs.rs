//! What explains the code to those who use it.

use guard_sdk::analysis::{Measurement, Point, Tree};
use guard_sdk::files::{Kind, kind_of};

use crate::languages;
use crate::material::is_beside;
use crate::practice::{Documented, Practice};

/// Files of the main language that are read.
const SAMPLE: usize = 20;

const TOOLS: [(&str, &str); 16] = [
    ("mkdocs.yml", "MkDocs"),
    ("mkdocs.yaml", "MkDocs"),
    ("docs/conf.py", "Sphinx"),
    ("doc/conf.py", "Sphinx"),
    ("docs/source/conf.py", "Sphinx"),
    ("book.toml", "mdBook"),
    ("docs/book.toml", "mdBook"),
    ("antora.yml", "Antora"),
    ("_config.yml", "Jekyll"),
    ("docs/_config.yml", "Jekyll"),
    ("typedoc.json", "TypeDoc"),
    (".readthedocs.yaml", "Read the Docs"),
    (".readthedocs.yml", "Read the Docs"),
    ("hugo.toml", "Hugo"),
    ("SUMMARY.md", "GitBook"),
    ("docs/SUMMARY.md", "GitBook"),
];

pub fn measure(tree: &Tree) -> Measurement {
    let mut points = Vec::new();
    let languages = languages::main(tree);
    let documented = languages.first().and_then(|language| documented(tree, language));
    // Without definitions that can be read, documents are all that counts.
    let scale = if documented.is_none() { 2 } else { 1 };
    points.extend(documented);
    let folder = ["docs", "doc", "documentation", "website"].into_iter().find(|folder| tree.is_dir(folder));
    points.push(match folder {
        Some(folder) => Point::earned("docs-folder", 250 * scale, format!("documents stand in {folder}/")),
        None => Point::missed(
            "docs-folder",
            250 * scale,
            "there is no folder of documents",
            "Explain in docs/ what the README is too short for.",
        ),
    });
    let tool = TOOLS.iter().find(|(path, _)| tree.has(path)).map(|(path, tool)| (path.to_string(), *tool));
    let tool = tool.or_else(|| {
        let found =
            tree.find(&["docusaurus.config.*", "**/.vitepress/config.*", "nextra.config.*", "**/astro.config.*"], 1);
        Some((found.into_iter().next()?, "a generator of sites"))
    });
    points.push(match tool {
        Some((path, tool)) => {
            Point::earned("docs-tool", 150 * scale, format!("{tool} is configured; a second tool is not needed"))
                .at(path)
        }
        None if languages.first().is_some_and(|language| language.publishes_documents) => Point::earned(
            "docs-tool",
            150 * scale,
            "the documents of the code are published by the language's own tools",
        ),
        None => Point::missed(
            "docs-tool",
            150 * scale,
            "no tool makes a site of the documents",
            "Configure one tool (MkDocs, Sphinx, mdBook, VitePress).",
        ),
    });
    let examples = ["examples", "example", "_examples", "_example", "demo", "demos", "samples", "docs/examples"]
        .into_iter()
        .find(|folder| tree.is_dir(folder));
    points.push(match examples {
        Some(folder) => Point::earned("examples", 100 * scale, format!("examples stand in {folder}/")),
        None => Point::missed(
            "examples",
            100 * scale,
            "there is no folder of examples",
            "Show a program of a few lines in examples/.",
        ),
    });
    let sum: u32 = points.iter().map(|point| point.possible).sum();
    debug_assert_eq!(sum, 1_000);
    Measurement::Measured(points)
}

/// None when no public definition was found: by some ways of exporting, a line does not tell.
fn documented(tree: &Tree, language: &Practice) -> Option<Point> {
    let paths = tree.find(language.globs, 2_000);
    let own: Vec<&String> = paths.iter().filter(|path| !is_private(path)).collect();
    // Spread over the tree, not the first folder alone.
    let step = own.len().div_ceil(SAMPLE).max(1);
    let (mut documented, mut all, mut files, mut first) = (0u32, 0u32, 0, None);
    for path in own.into_iter().step_by(step) {
        let Ok(text) = tree.text(path) else { continue };
        files += 1;
        let lines: Vec<&str> = text.lines().collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| (language.is_public)(line)) {
            all += 1;
            if has_comment(&lines, at, &language.documented) {
                documented += 1;
            } else if first.is_none() {
                first = Some((path.clone(), at + 1));
            }
        }
    }
    let of = |earned: u32| {
        Point::part(
            "documented-code",
            earned,
            500,
            format!("{documented} of {all} public definitions in {files} files have a comment"),
        )
    };
    let point = of((500 * documented).checked_div(all)?);
    Some(match first {
        Some((path, line)) => {
            let help = format!(
                "Say what the public definitions of the {} code are for; this is the first without a comment.",
                language.name
            );
            point.at(path).line(u32::try_from(line).unwrap_or(u32::MAX)).help(help)
        }
        None => point,
    })
}

fn is_private(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    is_beside(path)
        || kind_of(path) == Kind::Generated
        || name.contains("test")
        || name.contains(".config.")
        || path
            .split('/')
            .any(|part| ["benches", "migrations", "build", "private", "internal", "internals"].contains(&part))
}

fn has_comment(lines: &[&str], at: usize, documented: &Documented) -> bool {
    match documented {
        Documented::InBody => {
            // The first line behind the end of the signature.
            let end = (at..lines.len().min(at + 30)).find(|line| lines[*line].trim_end().ends_with(':'));
            let body = end.and_then(|end| lines[end + 1..].iter().find(|line| !line.trim().is_empty()));
            let quotes = ["\"\"\"", "'''", "r\"\"\"", "\"", "'"];
            body.is_some_and(|body| quotes.iter().any(|quote| body.trim_start().starts_with(quote)))
        }
        Documented::Above(marks) => {
            // Attributes and decorators stand between.
            let above = lines[..at].iter().rev().map(|line| line.trim());
            let above = above.into_iter().find(|line| !line.starts_with('@') && !line.starts_with("#["));
            let is_mark = |above: &str, mark: &str| above.starts_with(mark) || (mark == "*/" && above.ends_with(mark));
            above.is_some_and(|above| marks.iter().any(|mark| is_mark(above, mark)))
        }
    }
}

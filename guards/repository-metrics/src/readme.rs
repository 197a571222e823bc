//! What a visitor reads first.

use guard_sdk::analysis::{Point, Tree};

/// In the root, and where forges look for one else.
const NAMES: [&str; 10] = [
    "README.md",
    "README.rst",
    "README.adoc",
    "README.txt",
    "README",
    "readme.md",
    "Readme.md",
    "README.markdown",
    ".github/README.md",
    "docs/README.md",
];

/// A topic, the words of its heading, and the thousandths that it earns: 400 together.
const TOPICS: [(&str, &[&str], u32); 6] = [
    ("installing it", &["install", "setup", "set up", "getting started", "quick start", "quickstart"], 67),
    ("using it", &["usage", "use", "using", "how to", "quick start", "quickstart", "getting started"], 67),
    ("contributing", &["contribut", "development", "developing", "hacking"], 67),
    ("the licence", &["license", "licence", "licensing"], 67),
    ("an example", &["example", "demo", "tutorial", "sample"], 66),
    ("its features", &["feature", "why ", "highlights", "what is", "overview", "about"], 66),
];

pub fn points(tree: &Tree) -> Vec<Point> {
    let found = NAMES.iter().find_map(|name| {
        let path = tree.followed(name)?;
        Some((tree.text(&path).ok()?, path))
    });
    let Some((text, path)) = found else {
        let help =
            "Write README.md: what it is, how it is installed and used, an example, how to contribute, the licence.";
        return vec![Point::missed("readme-present", 1_000, "there is no README in the root", help)];
    };
    let lines: Vec<&str> = text.lines().collect();
    let filled = lines.iter().filter(|line| !line.trim().is_empty()).count();
    let mut points = vec![Point::earned("readme-present", 200, format!("{path} is there")).at(&path)];
    let length = match filled {
        50.. => 150,
        20.. => 80,
        _ => 0,
    };
    let lengthy =
        Point::part("readme-length", length, 150, format!("it has {filled} lines that are not blank")).at(&path);
    points.push(if length < 150 {
        lengthy.help("Say more: 50 lines are few for what a reader asks first.")
    } else {
        lengthy
    });
    let headings = headings(&lines, [".md", ".markdown"].iter().any(|end| path.ends_with(end)));
    for (topic, words, possible) in TOPICS {
        let heading = headings.iter().find(|heading| words.iter().any(|word| heading.text.contains(word)));
        points.push(match heading {
            Some(Heading { line, .. }) => {
                Point::earned("readme-topic", possible, format!("a section about {topic}")).at(&path).line(*line)
            }
            None => {
                let help = format!("Add a section about {topic} to {path}.");
                Point::missed("readme-topic", possible, format!("no heading speaks of {topic}"), help).at(&path)
            }
        });
    }
    let has_image = text.contains("![") || text.contains("<img") || text.contains("image:");
    let badge = (1..).zip(&lines).find(|(_, line)| has_image && is_badge(line));
    points.push(match badge {
        Some((line, _)) => Point::earned("readme-badge", 150, "it shows a badge").at(&path).line(line),
        None => Point::missed(
            "readme-badge",
            150,
            "it shows no badge",
            format!("Show the state of CI as a badge in {path}."),
        )
        .at(&path),
    });
    let title = headings.iter().find(|heading| heading.is_title && !heading.text.is_empty());
    points.push(match title {
        Some(Heading { line, .. }) => Point::earned("readme-title", 100, "it has a title").at(&path).line(*line),
        None => Point::missed("readme-title", 100, "it has no title", format!("Begin {path} with a title.")).at(&path),
    });
    points
}

struct Heading {
    /// From 1.
    line: u32,
    /// In lower case.
    text: String,
    /// Of the first level: a section, or an advertisement above the text, names no project.
    is_title: bool,
}

/// Headings in Markdown, reStructuredText and AsciiDoc. Code is left out.
fn headings(lines: &[&str], is_markdown: bool) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut fence: Option<&str> = None;
    for (index, line) in lines.iter().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let trimmed = line.trim();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)) {
            fence = match fence {
                None => Some(mark),
                Some(open) if open == mark => None,
                open => open,
            };
            continue;
        }
        if fence.is_some() || trimmed.is_empty() {
            continue;
        }
        let marked = trimmed.strip_prefix('#').or_else(|| trimmed.strip_prefix('='));
        let html = ["<h1", "<h2", "<h3"].iter().any(|tag| trimmed.to_ascii_lowercase().starts_with(tag));
        let below = lines.get(index + 1).map_or("", |next| next.trim_end());
        let is_underlined = below.len() >= 3
            && ["=", "-", "~", "^"].iter().any(|mark| below.bytes().all(|byte| [byte] == mark.as_bytes()))
            && trimmed.chars().any(char::is_alphanumeric);
        match marked {
            Some(rest) if rest.trim_start_matches(['#', '=']).starts_with(' ') => {
                let text = rest.trim_matches(['#', '=', ' ']).to_lowercase();
                headings.push(Heading { line: number, text, is_title: rest.starts_with(' ') });
            }
            _ if html || is_underlined => {
                let text = trimmed.to_lowercase();
                // In reStructuredText the first kind of line below a heading is that of the title.
                let is_underlined = if is_markdown { below.starts_with('=') } else { headings.is_empty() };
                let is_title = if html { text.starts_with("<h1") } else { is_underlined };
                headings.push(Heading { line: number, text, is_title });
            }
            Some(_) | None => {}
        }
    }
    headings
}

/// An image of one, or the definition of a reference that may be one's.
fn is_badge(line: &str) -> bool {
    let image = ["![", "<img", ".. image::", "image:"].iter().any(|mark| line.contains(mark));
    let is_reference = line.starts_with('[') && line.contains("]: ");
    let shows = [
        "badge",
        "shields.io",
        "/actions/workflows/",
        "codecov.io",
        "coveralls.io",
        "readthedocs.org/projects",
        ".svg",
    ];
    let names = |mark: &&str| line.contains(*mark) && (image || *mark != ".svg");
    (image || is_reference) && shows.iter().any(names)
}

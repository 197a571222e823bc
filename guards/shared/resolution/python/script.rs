//! What a script declares for itself: <https://packaging.python.org/en/latest/specifications/inline-script-metadata/>.

use super::distributions::normal;
use crate::tree::Tree;

/// Normalised names of the distributions that the block `# /// script` of a file asks for.
pub fn declared(tree: &Tree, path: &str) -> Vec<String> {
    tree.text(path).map(|text| names(&text)).unwrap_or_default()
}

fn names(text: &str) -> Vec<String> {
    let begins = text.lines().position(|line| line.trim_end() == "# /// script");
    let Some(begin) = begins else { return Vec::new() };
    let inside = text.lines().skip(begin + 1).take_while(|line| line.starts_with('#') && line.trim_end() != "# ///");
    let toml: String = inside.map(|line| format!("{}\n", line.trim_start_matches('#'))).collect();
    let Some((_, list)) = toml.split_once("dependencies").and_then(|(_, rest)| rest.split_once('[')) else {
        return Vec::new();
    };
    // A list of strings; a name in brackets, as in `"uvicorn[standard]"`, stands inside of one.
    let mut names = Vec::new();
    let mut rest = list.trim_start();
    while let Some(quote) = rest.chars().next().filter(|c| *c != ']') {
        let (inside, behind) = match quote {
            '"' | '\'' => rest[1..].split_once(quote).unwrap_or((&rest[1..], "")),
            _ => ("", &rest[quote.len_utf8()..]),
        };
        let name: &str =
            inside.split(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).next().unwrap_or_default();
        names.extend((!name.is_empty()).then(|| normal(name)));
        rest = behind.trim_start();
    }
    names
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn of_the_block_alone() {
        let text = "#!/usr/bin/env python\n# /// script\n# requires-python = \">=3.11\"\n# dependencies = [\n#   \"httpx>=0.2\",\n#   'Rich_Click[all]',\n# ]\n# ///\nimport httpx\n";
        assert_eq!(names(text), ["httpx", "rich-click"]);
        assert_eq!(names("# /// script\n# dependencies = [\"a\", \"b; python_version < '3'\"]\n# ///\n"), ["a", "b"]);
        assert_eq!(names("# dependencies = [\"httpx\"]\n"), [""; 0]);
        assert_eq!(names("# /// script\n# dependencies = [\"open\n# ///\n"), ["open"]);
    }
}

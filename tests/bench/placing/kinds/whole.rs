//! Whole files in fences and tags.

use super::super::corpus::Source;
use super::super::edit::Edit;
use super::super::trial::Trial;
use super::{Make, fenced};

pub const KINDS: [(&str, Make); 22] = [
    ("path above the fence", |source, _| formed(source, |path, text| format!("{path}\n{}", fenced("", text)))),
    ("path in backticks above the fence", |source, _| {
        formed(source, |path, text| format!("`{path}`:\n\n{}", fenced("", text)))
    }),
    ("path in bold above the fence", |source, _| {
        formed(source, |path, text| format!("**{path}**\n\n{}", fenced("", text)))
    }),
    ("path as a heading", |source, _| formed(source, |path, text| format!("### {path}\n\n{}", fenced("", text)))),
    ("File: and the path", |source, _| formed(source, |path, text| format!("File: {path}\n{}", fenced("", text)))),
    ("rules around the path", |source, _| formed(source, |path, text| format!("=== {path} ===\n{}", fenced("", text)))),
    ("path in the info", |source, _| formed(source, fenced)),
    ("path in the info after the language", |source, _| {
        formed(source, |path, text| fenced(&format!("python {path}"), text))
    }),
    ("path in the info after a colon", |source, _| {
        formed(source, |path, text| fenced(&format!("python:{path}"), text))
    }),
    ("path as an attribute of the info", |source, _| {
        formed(source, |path, text| fenced(&format!("python title=\"{path}\""), text))
    }),
    ("path hinted, and in the first comment", |source, _| {
        let edit = source.plain()?;
        let sign = match edit.path.rsplit('.').next()? {
            "py" | "toml" | "yml" | "yaml" | "sh" => "#",
            "js" | "ts" | "tsx" | "rs" | "go" => "//",
            _ => return None,
        };
        let text = fenced("", &format!("{sign} {}\n{}", edit.path, edit.after));
        Some(Trial::right(edit, text).hinting(&edit.path))
    }),
    ("path hinted", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(edit, fenced("", &edit.after)).hinting(&edit.path))
    }),
    ("file tag with a path", |source, _| {
        formed(source, |path, text| format!("<file path=\"{path}\">\n{text}</file>\n"))
    }),
    ("file tag with path and content tags", |source, _| {
        formed(source, |path, text| format!("<file>\n<path>{path}</path>\n<content>\n{text}</content>\n</file>\n"))
    }),
    ("Cline's write_to_file", |source, _| {
        formed(source, |path, text| {
            format!("<write_to_file>\n<path>{path}</path>\n<content>\n{text}</content>\n</write_to_file>\n")
        })
    }),
    ("cat with a heredoc", |source, _| {
        formed(source, |path, text| fenced("bash", &format!("cat > {path} <<'EOF'\n{text}EOF\n")))
    }),
    ("prose that names other files", |source, _| {
        formed(source, |path, text| {
            format!(
                "As `other/file.txt` needs it, I changed {path}.\n\n{path}\n{}\nSee also `third.md`.\n",
                fenced("", text)
            )
        })
    }),
    ("carriage returns in the file", |source, _| {
        let edit = source.plain()?;
        let crlf = |text: &str| text.replace('\n', "\r\n");
        let crlf = Edit::new(&edit.path, crlf(&edit.before), crlf(&edit.after));
        Some(Trial::right(&crlf, format!("{}\n{}", edit.path, fenced("", &edit.after))))
    }),
    ("fences in the file, longer ones around", |source, _| {
        let edit = source.plain()?;
        let add = "\nUse:\n\n```sh\nmake\n```\n";
        let other = Edit::new(&edit.path, format!("{}{add}", edit.before), format!("{}{add}", edit.after));
        Some(Trial::right(&other, format!("{}\n`````\n{}`````\n", edit.path, other.after)))
    }),
    ("tags of thoughts in the file", |source, _| {
        let edit = source.plain()?;
        let add = "\nTitle\n~~~~~\n\n<think>\nprompt\n</think>\n";
        let other = Edit::new(&edit.path, format!("{}{add}", edit.before), format!("{}{add}", edit.after));
        Some(Trial::right(&other, format!("{}\n{}", edit.path, fenced("", &other.after))))
    }),
    ("new file, said to be new", |source, _| {
        let edit = source.plain()?;
        let text = format!("Create a new file `{0}`:\n\n{0}\n{1}", edit.path, fenced("", &edit.after));
        let mut trial = Trial::right(edit, text).beside("README", "here\n");
        trial.tree.remove(&edit.path);
        (edit.after.lines().count() > 5).then_some(trial)
    }),
    ("existing file at a path of no file", |source, _| {
        let edit = source.plain()?;
        let text = format!("I fixed the condition:\n\nproject/{}\n{}", edit.path, fenced("", &edit.after));
        Some(Trial::refused(edit, text))
    }),
];

/// The changed file, whole.
fn formed(source: &Source, form: fn(&str, &str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    (edit.after.lines().count() > 5).then(|| Trial::right(edit, form(&edit.path, &edit.after)))
}

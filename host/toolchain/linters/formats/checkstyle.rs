//! Checkstyle's XML (<https://checkstyle.org/>), which linters of most languages can write.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::job::FinishedJob;
use crate::linters::{LintSeverity, Linter, LinterResult};
use crate::report::Diagnostic;
use crate::runners::junit::attribute;

pub fn objections(finished: &FinishedJob<Linter>, text: &str) -> LinterResult {
    let named = parsed(text)?;
    Ok(named
        .into_iter()
        .map(|(severity, file, line, message)| (severity, Diagnostic { path: finished.path(&file), line, message }))
        .collect())
}

type Named = (LintSeverity, String, Option<u32>, String);

fn parsed(text: &str) -> Result<Vec<Named>, String> {
    let mut reader = Reader::from_str(text);
    let (mut found, mut file, mut has_root, mut depth) = (Vec::new(), String::new(), false, 0_u32);
    loop {
        match reader.read_event().map_err(|error| format!("its report is no XML ({error})"))? {
            Event::Start(element) => {
                depth += 1;
                has_root |= element.local_name().as_ref() == "checkstyle";
                open(&element, &mut file, &mut found);
            }
            Event::Empty(element) => {
                has_root |= element.local_name().as_ref() == "checkstyle";
                open(&element, &mut file, &mut found);
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Eof => break,
            _ => {}
        }
    }
    match (has_root, depth) {
        (false, _) => Err("its report is none of Checkstyle's".to_owned()),
        (true, 0) => Ok(found),
        (true, _) => Err("its report ends in the middle".to_owned()),
    }
}

fn open(element: &BytesStart, file: &mut String, found: &mut Vec<Named>) {
    let value = |name: &str| attribute(element, name);
    match element.local_name().as_ref() {
        "file" => *file = value("name").unwrap_or_default(),
        "error" => {
            let severity = match value("severity").as_deref() {
                Some("info" | "ignore") => return,
                Some("warning") => LintSeverity::Warning,
                Some(_) | None => LintSeverity::Error,
            };
            let message = value("message").unwrap_or_default();
            let message = match value("source").filter(|source| !source.is_empty()) {
                Some(source) => format!("{source}: {message}"),
                None => message,
            };
            found.push((severity, file.clone(), value("line").and_then(|line| line.parse().ok()), message));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_files_are_read_and_what_is_cut_off_is_none() {
        let text = "<?xml version=\"1.0\"?>\n<checkstyle version=\"3.7\">\n<file name=\"/t/src/A.php\">\n <error line=\"2\" column=\"1\" severity=\"error\" message=\"Missing &amp; wrong\" source=\"PEAR.Files\"/>\n <error line=\"3\" severity=\"warning\" message=\"long\"/>\n <error severity=\"info\" message=\"x\"/>\n</file>\n</checkstyle>\n";
        let at = |severity, line, message: &str| (severity, "/t/src/A.php".to_owned(), Some(line), message.to_owned());
        let expected =
            [at(LintSeverity::Error, 2, "PEAR.Files: Missing & wrong"), at(LintSeverity::Warning, 3, "long")];
        assert_eq!(parsed(text).unwrap(), expected);
        assert!(parsed("").unwrap_err().contains("none of Checkstyle's"));
        assert!(parsed(text.split("</file>").next().unwrap()).is_err());
    }
}

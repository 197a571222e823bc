//! A test that its file does not have any more.

use guard_sdk::Finding;
use guard_sdk::language::Definition;

use crate::touched::Touched;

/// A test of the base that its file does not have any more.
pub struct Gone<'t> {
    pub touched: &'t Touched<'t>,
    pub item: &'t Definition,
    pub text: &'t str,
}

impl<'t> Gone<'t> {
    pub fn new(touched: &'t Touched<'t>, item: &'t Definition) -> Self {
        Gone { touched, item, text: touched.text_before(item) }
    }

    pub fn lines(&self) -> usize {
        self.text.lines().filter(|line| !line.trim().is_empty()).count()
    }

    /// Whether its first line still stands in the file, but in a comment or in a string.
    pub fn is_hidden(&self) -> bool {
        let Some(head) = self.text.lines().map(str::trim).find(|line| line.contains(&self.item.name)) else {
            return false;
        };
        let count = |text: &str| text.matches(head).count();
        count(&self.touched.lines.after) > count(&self.touched.code().after)
    }

    fn line(&self) -> u32 {
        self.touched.place(self.item.lines.first)
    }
}

/// Names in a message; the others are counted.
const NAMED: usize = 5;

/// What is said of the tests of one file that went in the same way. Of one cause there is one finding: a file of tests that is deleted would bury
/// everything else otherwise.
pub fn finding(tests: &[&Gone]) -> Option<Finding> {
    let first = *tests.first()?;
    let path = first.touched.old_path;
    let names: Vec<String> = tests.iter().take(NAMED).map(|gone| format!("`{}`", gone.item.full_name())).collect();
    let names = match tests.len() {
        count if count > NAMED => format!("{} and {} more", names.join(", "), count - NAMED),
        _ => names.join(", "),
    };
    let went = if first.is_hidden() { "commented out in" } else { "gone from" };
    let (message, help) = match tests.len() {
        1 => (
            format!("the test {names} is {went} {path}"),
            format!("Keep {names} as it was. If it fails, fix the code that it tests."),
        ),
        count => (
            format!("{count} tests are {went} {path}: {names}"),
            "Keep the tests as they were. If one fails, fix the code that it tests.".to_owned(),
        ),
    };
    Some(Finding::error("test-lost", message).at(first.touched.path(), first.line()).help(help))
}

/// The tests by their files, in the order in which they come.
pub fn by_file<'g, 't>(tests: &[&'g Gone<'t>]) -> Vec<Vec<&'g Gone<'t>>> {
    let mut files: Vec<Vec<&Gone>> = Vec::new();
    for gone in tests {
        match files.iter_mut().find(|file| file[0].touched.old_path == gone.touched.old_path) {
            Some(file) => file.push(gone),
            None => files.push(vec![gone]),
        }
    }
    files
}

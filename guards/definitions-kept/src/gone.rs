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

    pub fn finding(&self) -> Finding {
        let (path, name) = (self.touched.old_path, self.item.full_name());
        let went = match self.is_hidden() {
            true => "is commented out in",
            false => "is gone from",
        };
        Finding::error("test-lost", format!("the test `{name}` {went} {path}"))
            .at(self.touched.path(), self.touched.place(self.item.lines.first))
            .help(format!("Keep `{name}` as it was. If it fails, mend the code that it tests."))
    }
}

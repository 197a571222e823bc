//! Tests that went, and came back nowhere, while what they test stays.

use guard_sdk::{Change, Finding, Severity};

use crate::beside::Beside;
use crate::effort::Effort;
use outline::Item;
use crate::phrases::words;
use crate::touched::Touched;

/// A test of the base that its file does not have any more.
pub struct Gone<'t> {
    pub touched: &'t Touched<'t>,
    pub item: &'t Item,
    text: &'t str,
}

impl<'t> Gone<'t> {
    pub fn new(touched: &'t Touched<'t>, item: &'t Item) -> Self {
        Gone { touched, item, text: touched.text_before(item) }
    }

    fn lines(&self) -> usize {
        self.text.lines().filter(|line| !line.trim().is_empty()).count()
    }

    fn finding(&self) -> Finding {
        let (path, name) = (self.touched.old_path, self.item.full_name());
        Finding::error("test-lost", format!("the test `{name}` is gone from {path}"))
            .at(self.touched.path(), self.touched.place(self.item.lines.0))
            .help(format!("Keep `{name}` as it was. If it fails, mend the code that it tests."))
    }
}

pub fn find(change: &Change, effort: &Effort, touched: &[Touched], gone: &[Gone]) -> Vec<Finding> {
    if gone.is_empty() || asked_for(change) {
        return Vec::new();
    }
    let beside = Beside::of(change, effort, touched);
    let lost: Vec<&Gone> = gone.iter().filter(|gone| !beside.has(gone.text) && !is_idle(gone.text)).collect();
    let lines: usize = lost.iter().map(|gone| gone.lines()).sum();
    // Tests that are written anew take fewer lines than those that they replace, and one with many cases replaces many.
    let ratio = if beside.new_tests > 0 { 4 } else { 2 };
    let enough = beside.many_cases || beside.new_tests * 2 >= lost.len();
    let rewritten = enough && beside.test_lines * ratio >= lines;
    let code_shrinks = beside.code_went > beside.code_came;
    if rewritten || code_shrinks || beside.manifests || beside.cut_short {
        return Vec::new();
    }
    let finding = |gone: &Gone| match beside.concerns(gone.text, gone.touched.old_path) {
        true => Finding { severity: Severity::Warning, ..gone.finding() },
        false => gone.finding(),
    };
    lost.into_iter().map(finding).collect()
}

/// Whether the task speaks of tests and of taking something away.
pub fn asked_for(change: &Change) -> bool {
    let Some(task) = change.task() else { return false };
    let text = task.text.to_ascii_lowercase();
    let says = |starts: &[&str]| words(&text).any(|word| starts.iter().any(|start| word.starts_with(start)));
    let away =
        ["remov", "delet", "drop", "prun", "obsolet", "duplicat", "merg", "consolidat", "rewrit", "parametri", "clean"];
    says(&["test", "spec"]) && says(&away)
}

/// A test that is not run tests nothing.
pub fn is_idle(test: &str) -> bool {
    const MARKS: [&str; 12] = [
        ".skip(",
        ".skip\n",
        ".xfail",
        "@skip(",
        "#[ignore",
        "it.todo",
        "test.todo",
        "xit(",
        "xtest(",
        "pytest.skip(",
        ".fixme(",
        "unittest.skip(",
    ];
    let head: String = test.lines().take(6).map(|line| format!("{}\n", line.trim())).collect();
    MARKS.iter().any(|mark| head.contains(mark))
}

//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("definition-lost", "a function, class, value, module, fixture or method is gone, and the candidate still needs it: the same file uses it; another file imports it, or uses it through its module; a test requests the fixture; a class calls the method on itself; it is the `main` of a program"),
    Rule::new("file-lost", "a file is gone or was moved, and another file still imports or declares it"),
    Rule::new("test-lost", "a test is gone or commented out, the change adds it nowhere else and brings no other that is like it, and it does not touch the code that the test tests. If that code changes too, a parameter or member that the test gives goes from code, a helper that the test calls goes from its file with it, or a file of tests goes and at least four tests of three quarters of its lines come in new files, this is a warning"),
    Rule::new("test-weakened", "a test remains, but all its assertions, or the calls of helpers that had them, are gone or became `assert True`, and nothing else was added to it"),
    Rule::new("body-gutted", "a function (also a nested one), method or test that did something now contains only `...`, `pass`, `{}`, `raise NotImplementedError`, `todo!()` or `throw new Error(\"not implemented\")`"),
    Rule::new("truncation-marker", "a comment such as \"... rest of the code unchanged ...\" replaces lines"),
    Rule::new("grown-too-large", "a file grows until one call cannot read it, or until more than half of it is lines of more than 4,000 bytes, so that it would count as generated"),
    Rule::new("not-judged", "info: a file was not judged, because the change is larger than one call can read"),
];

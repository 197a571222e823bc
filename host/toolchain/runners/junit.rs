//! JUnit's XML, as Surefire, Gradle, CTest, PHPUnit and many others write it (<https://github.com/testmoapp/junitxml>).

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::report::{Test, TestOutcome};

/// The tests, and why these are not all, if they are not.
pub fn tests(text: &str) -> (Vec<Test>, Result<(), String>) {
    let mut reading = JunitReading::default();
    let whole = reading.read(text);
    (reading.tests, whole)
}

#[derive(Default)]
struct JunitReading {
    tests: Vec<Test>,
    /// The test that is open.
    open: Option<Test>,
    /// Its text is read.
    in_failure: bool,
    /// Of the open suites, how many tests each announced, and how many there were before it.
    suites: Vec<(Option<usize>, usize)>,
    has_root: bool,
}

impl JunitReading {
    fn read(&mut self, text: &str) -> Result<(), String> {
        let mut reader = Reader::from_str(text);
        let mut depth = 0_u32;
        loop {
            match reader.read_event().map_err(|error| format!("its report is no XML ({error})"))? {
                Event::Start(element) => {
                    depth += 1;
                    self.open(&element)?;
                }
                Event::Empty(element) => {
                    self.open(&element)?;
                    self.close(element.local_name().as_ref())?;
                }
                Event::End(element) => {
                    depth = depth.saturating_sub(1);
                    self.close(element.local_name().as_ref())?;
                }
                Event::Text(part) if self.in_failure => self.add(&part),
                Event::CData(part) if self.in_failure => self.add(&part),
                Event::Eof => break,
                _ => {}
            }
        }
        match (self.has_root, depth) {
            (false, _) => Err("its report has no test suite".to_owned()),
            (true, 0) => Ok(()),
            (true, _) => Err("its report ends in the middle".to_owned()),
        }
    }

    fn open(&mut self, element: &BytesStart) -> Result<(), String> {
        let value = |name: &str| attribute(element, name);
        match element.local_name().as_ref() {
            "testsuites" => self.has_root = true,
            "testsuite" => {
                self.has_root = true;
                self.suites.push((value("tests").and_then(|tests| tests.parse().ok()), self.tests.len()));
            }
            "testcase" => {
                let (name, class) = (value("name").unwrap_or_default(), value("classname").unwrap_or_default());
                let id = if class.is_empty() || class == name { name } else { format!("{class} > {name}") };
                // CTest and GoogleTest say so without an element.
                let is_run = !matches!(value("status").as_deref(), Some("notrun" | "disabled"));
                let outcome = if is_run { TestOutcome::Passed } else { TestOutcome::Skipped };
                self.open = Some(Test { path: value("file"), ..Test::new(id, outcome) });
            }
            kind @ ("failure" | "error" | "skipped") => {
                let Some(test) = &mut self.open else { return Ok(()) };
                test.outcome = match kind {
                    "failure" => TestOutcome::Failed,
                    "error" => TestOutcome::Errored,
                    _ => TestOutcome::Skipped,
                };
                self.in_failure = kind != "skipped";
                if let Some(message) = value("message").filter(|_| self.in_failure) {
                    self.add(&message);
                    self.add("\n");
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str) -> Result<(), String> {
        match name {
            "testcase" => self.tests.extend(self.open.take()),
            "failure" | "error" | "skipped" => self.in_failure = false,
            "testsuite" => {
                let Some((announced, before)) = self.suites.pop() else { return Ok(()) };
                let found = self.tests.len() - before;
                if announced.is_some_and(|announced| announced > found) {
                    return Err(format!("a suite of its report announces more tests than the {found} that it has"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        if let Some(test) = &mut self.open {
            test.detail.push_str(text);
        }
    }
}

pub fn attribute(element: &BytesStart, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    Some(quick_xml::escape::unescape(&attribute.value).unwrap_or(attribute.value.clone()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"<?xml version="1.0"?>
<testsuites><testsuite name="a" tests="4">
<testcase name="adds" classname="CalcTest" file="/t/CalcTest.php"/>
<testcase name="fails" classname="CalcTest"><failure message="1 is not 2">at &lt;line&gt; 3</failure></testcase>
<testcase name="skips" classname="CalcTest"><skipped/></testcase>
<testcase name="later" classname="later" status="notrun"/>
</testsuite></testsuites>"#;

    #[test]
    fn outcomes() {
        let (tests, whole) = tests(REPORT);
        let seen: Vec<_> = tests.iter().map(|test| (test.id.as_str(), test.outcome)).collect();
        let expected = [
            ("CalcTest > adds", TestOutcome::Passed),
            ("CalcTest > fails", TestOutcome::Failed),
            ("CalcTest > skips", TestOutcome::Skipped),
            ("later", TestOutcome::Skipped),
        ];
        assert_eq!((seen, whole), (expected.to_vec(), Ok(())));
        assert!(tests[1].detail.starts_with("1 is not 2\nat "), "{}", tests[1].detail);
        assert_eq!(tests[0].path.as_deref(), Some("/t/CalcTest.php"));
    }

    #[test]
    fn what_is_cut_off_is_incomplete() {
        for wrong in
            ["", "<testsuites>", &REPORT[..REPORT.len() - 14], &REPORT.replace("tests=\"4\"", "tests=\"5\""), "<x/>"]
        {
            assert!(tests(wrong).1.is_err(), "{wrong}");
        }
    }
}

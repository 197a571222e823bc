//! JUnit XML for CI systems: one suite, one test case for each guard.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::test_cases::{CaseOutcome, TestCase, test_cases};
use super::text;
use guardhost_report::Report;
use guardhost_report::escape;

/// Maximum characters of one guard's text.
const MAX_TEXT: usize = 20_000;

pub fn render(report: &Report) -> Vec<u8> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    // Writing to memory cannot fail.
    let written = suites(&mut writer, &test_cases(report));
    debug_assert!(written.is_ok());
    let mut out = writer.into_inner();
    out.push(b'\n');
    out
}

fn suites(writer: &mut Writer<Vec<u8>>, cases: &[TestCase]) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let count = |outcome| cases.iter().filter(|case| shown(case) == outcome).count().to_string();
    let (tests, failures) = (cases.len().to_string(), count(CaseOutcome::Fail));
    let (errors, skipped) = (count(CaseOutcome::Error), count(CaseOutcome::Skipped));
    let time = seconds(cases.iter().map(|case| case.micros).sum());
    let mut counts = vec![("name", "guardhost"), ("tests", &tests), ("failures", &failures), ("errors", &errors)];
    counts.extend([("time", time.as_str())]);
    writer.create_element("testsuites").with_attributes(counts.clone()).write_inner_content(|writer| {
        counts.extend([("skipped", skipped.as_str())]);
        let suite = writer.create_element("testsuite").with_attributes(counts);
        suite.write_inner_content(|writer| cases.iter().try_for_each(|case| write_case(writer, case)))?;
        Ok(())
    })?;
    Ok(())
}

/// The outcome as JUnit has it. A monitored guard never fails the suite; its findings are in the case's output.
fn shown(case: &TestCase) -> CaseOutcome {
    match case.outcome {
        CaseOutcome::Fail | CaseOutcome::Error if !case.enforced => CaseOutcome::Pass,
        outcome => outcome,
    }
}

fn write_case(writer: &mut Writer<Vec<u8>>, case: &TestCase) -> io::Result<()> {
    let name = escape::inline(case.id, 200);
    let dot = if case.mark.is_empty() { "" } else { "." };
    let class = escape::inline(&format!("guardhost{dot}{}", case.mark), 200);
    let time = seconds(case.micros);
    let attributes = [("name", name.as_str()), ("classname", class.as_str()), ("time", time.as_str())];
    let reason = case.reason.as_deref().unwrap_or_default();
    let text = case.findings.iter().map(text::finding).collect::<Vec<_>>().join("\n\n");
    let text = without_commands(&escape::block(if text.is_empty() { reason } else { &text }, MAX_TEXT));
    let (element, message) = match shown(case) {
        CaseOutcome::Fail if case.findings.is_empty() => ("failure", escape::inline(reason, 200)),
        CaseOutcome::Fail => ("failure", text::headline(&case.findings)),
        CaseOutcome::Error => ("error", escape::inline(reason, 200)),
        CaseOutcome::Skipped => ("skipped", escape::inline(reason, 200)),
        CaseOutcome::Pass if text.is_empty() => {
            writer.create_element("testcase").with_attributes(attributes).write_empty()?;
            return Ok(());
        }
        CaseOutcome::Pass => ("system-out", String::new()),
    };
    writer.create_element("testcase").with_attributes(attributes).write_inner_content(|writer| {
        let mut inner = writer.create_element(element);
        if element != "system-out" {
            inner = inner.with_attribute(("message", message.as_str()));
        }
        if element == "skipped" {
            inner.write_empty()?;
        } else {
            inner.write_text_content(BytesText::new(&text))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// A line that begins with `::` is a command to the runner of GitHub, where the file is printed into a log.
fn without_commands(text: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with("::") {
        true => line.replacen("::", ": :", 1),
        false => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn seconds(micros: u64) -> String {
    format!("{:.6}", micros as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::without_commands;

    #[test]
    fn no_line_is_a_command_to_a_runner() {
        for (text, wanted) in [
            ("::error::x", ": :error::x"),
            ("a\n  ::stop-commands::y\n::add-mask::z\n", "a\n  : :stop-commands::y\n: :add-mask::z\n"),
            ("a::b\nstd::io", "a::b\nstd::io"),
        ] {
            assert_eq!(without_commands(text), wanted);
        }
    }
}

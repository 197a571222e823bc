//! From an author's plain data to what the contract returns.

use crate::bindings::exports::guardhost::guard::judge;
use crate::bindings::guardhost::guard::report;
use crate::{About, Finding, Verdict};

impl From<About> for report::Description {
    fn from(about: About) -> Self {
        let description = report::Description::new(about.id, about.version, about.promise);
        for (text, set) in [
            (about.mark, report::Description::set_mark as fn(&report::Description, &str)),
            (about.settings_schema, report::Description::set_settings_schema),
            (about.event, report::Description::set_event),
        ] {
            if !text.is_empty() {
                set(&description, text);
            }
        }
        about.stages.iter().for_each(|stage| description.add_stage(stage.as_str()));
        about.globs.iter().for_each(|glob| description.add_glob(glob));
        for need in about.needs {
            let globs: Vec<String> = need.globs.iter().map(|glob| glob.to_string()).collect();
            match globs.as_slice() {
                [] => description.add_need(need.capability.as_str(), need.why),
                globs => description.add_need_of_paths(need.capability.as_str(), globs, need.why),
            }
        }
        about.rules.iter().for_each(|rule| description.add_rule(rule.id, rule.summary, rule.url));
        about.attributes.iter().for_each(|(name, value)| description.set_attribute(name, value));
        description
    }
}

impl From<Verdict> for judge::Verdict {
    fn from(verdict: Verdict) -> Self {
        let all = |findings: Vec<Finding>| findings.iter().map(report::Finding::from).collect();
        match verdict {
            Verdict::Pass(findings) => judge::Verdict::Pass(all(findings)),
            Verdict::Reject(findings) => judge::Verdict::Reject(all(findings)),
            Verdict::NotApplicable(reason) => judge::Verdict::NotApplicable(reason),
        }
    }
}

impl From<&Finding> for report::Finding {
    fn from(plain: &Finding) -> Self {
        let finding = report::Finding::new(&plain.rule, plain.severity, &plain.message);
        if let Some(path) = &plain.path {
            finding.set_path(path);
        }
        if let Some(first) = plain.line {
            finding.set_lines(first, plain.end_line.unwrap_or(first));
        }
        if let Some(first) = plain.column {
            finding.set_columns(first, plain.end_column.unwrap_or(first));
        }
        if let Some(help) = &plain.help {
            finding.set_help(help);
        }
        if let Some(fix) = &plain.fix {
            finding.set_fix(&fix.title, &fix.edits);
        }
        for related in &plain.related {
            finding.add_related(&related.path, *related.lines.start(), *related.lines.end(), &related.message);
        }
        plain.attributes.iter().for_each(|(name, value)| finding.set_attribute(name, value));
        finding
    }
}

//! Nothing of the patch, of the conversation or of a tool stays behind in the tree.

mod added;
mod beside_text;
mod chatter;
mod debugger;
mod diff;
mod edit_block;
mod emptied;
mod encoding;
mod escaped;
mod escapes;
mod fence;
mod fenced;
mod flip;
mod hidden;
mod intent;
mod junk;
mod marks;
mod mode;
mod named;
mod own_path;
mod place;
mod rules;
mod scratch;
mod shown;
mod signs;
mod twice;

use guard_sdk::files::Globs;
use guard_sdk::{About, Capability, Change, File, Finding, Guard, Need, Stage, Verdict, guard, log};
use serde::Deserialize;

use added::Added;
use intent::Intent;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Globs of paths.
    ignore: Globs,
}

pub struct NoLeftovers;

impl Guard for NoLeftovers {
    type Settings = Settings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G21",
        promise: "Nothing of the patch, of the conversation about it or of a tool stays behind in the tree.",
        stages: &[Stage::Content],
        needs: &[Need::new(
            Capability::Repo,
            "to see whether the base keeps a folder such as node_modules, and which line endings it asks for",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "no_leftovers.fail",
        ..About::NONE
    };

    fn check(change: &Change, settings: Settings) -> Result<Verdict, String> {
        let intent = Intent::new(change);
        let mut findings = Vec::new();
        let mut is_concerned = false;
        for file in change.files().filter(|file| !file.after().is_regular() && !settings.ignore.matches(file.path())) {
            is_concerned |= file.after().exists();
            findings.extend(beside_text::judge(&file, change));
        }
        for file in change.files().filter(|file| file.after().is_regular() && !settings.ignore.matches(file.path())) {
            is_concerned = true;
            findings.extend(mode::judge(&file, &intent));
            if file.before().blob().map(|blob| &blob.oid) == file.after().blob().map(|blob| &blob.oid) {
                continue;
            }
            let of_name = junk::judge(&file, change).or_else(|| scratch::judge(&file, change));
            match of_name.or_else(|| named::judge(&file, change)) {
                Some(junk) => findings.push(junk),
                None => findings.extend(content(change, &file, &intent)),
            }
        }
        named::fold(&mut findings);
        match is_concerned {
            true => Ok(Verdict::from_findings(findings)),
            false => Ok(Verdict::not_applicable("the change adds or edits no file")),
        }
    }
}

fn content(change: &Change, file: &File, intent: &Intent) -> Vec<Finding> {
    let after = match file.after().text() {
        Ok(text) if !text.contains('\0') => text,
        Ok(_) => return marks::nul_bytes(file).into_iter().collect(),
        Err(why) => {
            log::info(format!("{}: {}", file.path(), why.reason()));
            return marks::nul_bytes(file).into_iter().collect();
        }
    };
    let mut findings = Vec::new();
    findings.extend(marks::byte_order_mark(file, &after));
    findings.extend(flip::judge(change, file, &after, intent));
    findings.extend(emptied::judge(file, &after));
    let added = Added::new(file, &after);
    if added.kind != place::Kind::Open {
        findings.extend(twice::judge(file, &after));
        findings.extend(encoding::judge(&added));
        findings.extend(hidden::judge(&added));
    }
    findings.extend(debugger::judge(&added));
    findings.extend(own_path::judge(&added, change));
    findings.extend(shown::judge(&added));
    findings.extend(diff::judge(&added));
    findings.extend(signs::judge(&added));
    findings.extend(edit_block::judge(&added));
    findings.extend(fence::judge(&added));
    findings.extend(fenced::judge(&added));
    findings.extend(escapes::judge(&added));
    findings.extend(escaped::judge(&added));
    findings.extend(chatter::judge(&added));
    findings
}

guard!(NoLeftovers);

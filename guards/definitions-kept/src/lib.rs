//! G7: definitions do not vanish while something still needs them, and bodies are not gutted.

mod beside;
mod came;
mod effort;
mod gone;
mod grown;
mod gutted;
mod language;
mod made;
mod marker;
mod needs;
mod phrases;
mod rules;
mod screen;
mod tests_gone;
mod touched;
mod vanished;
mod weakened;

use guard_sdk::{About, Capability, Change, Finding, Guard, NoSettings, Stage, Verdict, files, guard};

use came::Came;
use effort::Effort;
use gone::Gone;
use guard_sdk::language::{Definition, DefinitionKind};
use needs::{Lost, Need};
use touched::Touched;

pub struct DefinitionsKept;

impl Guard for DefinitionsKept {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        mark: "G7",
        promise: "No definition vanishes that something still needs, no test is lost, and no body is replaced by a stub.",
        stages: &[Stage::Content],
        globs: files::CODE,
        needs: &[guard_sdk::Need::new(
            Capability::Repo,
            "to look in the whole candidate for uses of a definition that is gone",
        )],
        rules: rules::RULES,
        settings_schema: include_str!("../settings.schema.json"),
        event: "critic_ast_diff.fail",
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        let effort = Effort::whole(change);
        let touched: Vec<Touched> = change.files().filter_map(|file| Touched::new(file, &effort)).collect();
        if touched.is_empty() {
            return Ok(Verdict::not_applicable("no file with definitions is changed or deleted"));
        }
        let suspects =
            touched.iter().filter(|file| file.left() || screen::worth_reading(file.language, file.path(), &file.lines));
        let came = Came::new(change);
        let mut findings: Vec<Finding> = touched.iter().filter_map(|file| grown::into_generated(file)).collect();
        let mut lost: Vec<Lost> = Vec::new();
        let mut gone: Vec<Gone> = Vec::new();
        let suspects: Vec<&Touched> = suspects.filter(|file| !made::by_a_build(change, file)).collect();
        for (file, worth) in suspects.iter().copied().zip(grown::worth(&suspects)) {
            if !worth {
                findings.push(grown::finding(file, &effort));
                continue;
            }
            let (Some(before), Some(after)) = (file.before(), file.after()) else { continue };
            findings.extend(gutted::find(file, before, after));
            findings.extend(marker::find(file, before, after));
            findings.extend(weakened::find(change, file, before, after));
            for item in vanished::definitions(before, after) {
                if item.kind == DefinitionKind::Test {
                    gone.push(Gone::new(file, item));
                    continue;
                }
                let need = match item.kind {
                    DefinitionKind::Fixture => needs::of_fixture(change, &effort, file, after, item),
                    DefinitionKind::Method if came.elsewhere(&item.name, file.path()) => None,
                    DefinitionKind::Method => needs::of_member(change, &effort, file, (before, after), item),
                    _ => vanished::used_here(change, file, before, after, item, &came),
                };
                findings.extend(need.map(|need| finding(file, item, &need)));
            }
            let names = vanished::offers(file, before, after, &came);
            if !names.is_empty() || file.left() {
                lost.push(Lost { touched: file, names, whole: file.left() });
            }
        }
        for ((index, name), need) in needs::of_imports(change, &effort, &lost) {
            let file = lost[index].touched;
            let item = file
                .before()
                .and_then(|before| before.definitions.iter().find(|item| item.owner.is_none() && item.name == name));
            findings.push(match item {
                Some(item) => finding(file, item, &need),
                None => missing_name(file, &name, &need),
            });
        }
        findings.extend(tests_gone::find(change, &effort, &touched, &gone));
        if let Some(why) = effort.failure() {
            return Err(why);
        }
        findings.extend(effort.unread());
        if let Some(path) = change.withheld() {
            return Err(format!("it needs the whole tree, and the pin does not grant {path}"));
        }
        Ok(Verdict::from_findings(findings))
    }
}

guard!(DefinitionsKept);

fn finding(file: &Touched, item: &Definition, need: &Need) -> Finding {
    let (path, name, kind) = (file.old_path, item.full_name(), item.noun());
    let message = format!("the {kind} `{name}` is gone from {path}, but {} it", need.description());
    at(Finding::error("definition-lost", message), file, item.lines.first)
        .help(format!("Keep `{name}` in {path} as it was, or change everything that needs it in the same patch."))
}

fn missing_name(file: &Touched, name: &str, need: &Need) -> Finding {
    let path = file.old_path;
    if name.is_empty() {
        return at(Finding::error("file-lost", format!("{path} is gone, but {} it", need.description())), file, 1)
            .help(format!("Keep {path}, or change everything that needs it in the same patch."));
    }
    at(
        Finding::error("definition-lost", format!("{path} no longer offers `{name}`, but {} it", need.description())),
        file,
        1,
    )
    .help(format!("Keep `{name}` in {path}, or change everything that needs it in the same patch."))
}

fn at(finding: Finding, file: &Touched, line: u32) -> Finding {
    finding.at(file.path(), file.place(line))
}

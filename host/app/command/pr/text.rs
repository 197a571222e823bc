//! Title, body and summary of a pull request, in Markdown. Texts of tasks, guards and models are escaped in all of them.

use guardhost_core::change::{Judgement, Verdict};
use guardhost_forge::{code, inline};
use guardhost_report::journal::{Artifact, History};
use guardhost_report::{ChangeProof, ReviewReport, TriageReport, VerdictKind, Voted, proofs};
use serde_json::Value;

use super::change::PullChange;
use super::text_review::{critics, rows_of_votes};
use super::text_triage::triaged;

/// Characters of a title.
const TITLE: usize = 72;
/// Characters of a task.
const TASK: usize = 4_000;
/// Steps that are listed.
const STEPS: usize = 60;

/// The first line of the task. A forge shows a title as it is, so it holds no line breaks and no control characters.
pub fn title(task: &str) -> String {
    let line = task.trim_start().lines().next().unwrap_or_default().trim();
    let clean: String = guardhost_report::escape::inline(line, 4 * TITLE);
    match clean.chars().count() {
        0 => "A change by guardhost".to_owned(),
        1..=TITLE => clean,
        _ => format!("{}…", clean.chars().take(TITLE - 1).collect::<String>().trim_end()),
    }
}

/// What the change is for, what it measures, its steps, what the guards say, how to judge it again.
pub fn body(
    history: &History,
    steps: &[History],
    change: &PullChange,
    judgement: &Judgement,
    review: Option<&ReviewReport>,
    votes: Option<&Voted>,
) -> String {
    let task = history.run().map(|(_, run)| run.task.as_str()).unwrap_or_default();
    let mut text = task.lines().map(|line| format!("> {}\n", inline(line, TASK))).collect::<String>();
    if let Some(table) = metrics(history) {
        text.push_str(&format!("\n### Metrics\n\n{table}"));
    }
    if !steps.is_empty() {
        text.push_str("\n### Steps\n\n");
        text.extend(steps.iter().take(STEPS).map(step));
        if steps.len() > STEPS {
            text.push_str(&format!("- and {} more\n", steps.len() - STEPS));
        }
    }
    text.push_str(&format!("\n### Guards\n\n{}{}", verdicts(judgement), shown(judgement, &change.spec())));
    if let Some(review) = review {
        text.push_str(&format!("\n{}", critics(review)));
    }
    let votes = votes.map(|voted| (&voted.votes, &voted.approval));
    let votes = votes.or(review.map(|review| (&review.votes, &review.approval)));
    if let Some((votes, approval)) = votes.filter(|(votes, _)| !votes.is_empty()) {
        text.push_str(&format!("\n### Votes\n\n{}", rows_of_votes(votes, approval)));
    }
    text.push_str(&format!("\n### Made by\n\n{}", made_by(history, steps)));
    text.push_str(&format!("\n### Judge it again\n\n```sh\nhost check --range {}\n```\n", change.spec()));
    text
}

/// The head of the summary.
pub fn summary(change: &PullChange, judgement: &Judgement, triage: Option<&TriageReport>) -> String {
    let verdict = match judgement.verdict() {
        Verdict::Pass => "accept",
        Verdict::Reject => "reject",
        Verdict::Error => "could not all judge",
    };
    format!(
        "**guardhost**: the guards {verdict} {}.\n\n{}{}{}",
        change.short(),
        verdicts(judgement),
        shown(judgement, &change.spec()),
        triage.map(|triage| triaged(triage, &change.spec())).unwrap_or_default()
    )
}

/// What running the change has shown, with the command that shows it again; nothing where no guard runs it.
fn shown(judgement: &Judgement, range: &str) -> String {
    let proofs = proofs(judgement);
    if proofs.is_empty() {
        return String::new();
    }
    let row = |proof: &ChangeProof| {
        let why = proof.why.as_deref().map(|why| inline(why, 300)).unwrap_or_default();
        let again = code(&format!("{} --range {range}", proof.command), 300);
        format!("| {} | {} | {why} | {again} |\n", proof.claim, proof.state.as_str())
    };
    let rows: String = proofs.iter().map(row).collect();
    format!("\n| claim | | why | again |\n|---|---|---|---|\n{rows}")
}

/// A row for each guard that had something to judge.
fn verdicts(judgement: &Judgement) -> String {
    let mut rows = String::from("| guard | version | component | verdict | findings |\n|---|---|---|---|---|\n");
    let mut silent = 0;
    for evidence in &judgement.evidence {
        let kind = VerdictKind::from(&evidence.verdict);
        if kind == VerdictKind::NotApplicable {
            silent += 1;
            continue;
        }
        let digest: String = evidence.digest.trim_start_matches("sha256:").chars().take(12).collect();
        rows.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            inline(&evidence.id, 100),
            inline(&evidence.version, 40),
            code(&digest, 12),
            kind.as_str(),
            evidence.verdict.findings().len(),
        ));
    }
    match silent {
        0 => rows,
        1 => format!("{rows}\n1 guard had nothing to judge.\n"),
        _ => format!("{rows}\n{silent} guards had nothing to judge.\n"),
    }
}

fn step(step: &History) -> String {
    let (_, id) = step.step_of().unwrap_or_default();
    let task = step.run().map(|(_, run)| run.task.lines().next().unwrap_or_default()).unwrap_or_default();
    let end = match (step.commit(), step.end().and_then(|end| end.outcome.as_ref())) {
        (Some(commit), _) => commit.chars().take(10).collect::<String>(),
        (None, Some(end)) => end.as_str().to_owned(),
        (None, None) => "not done".to_owned(),
    };
    format!("- {} {}: {end}\n", inline(id, 60), inline(task, 200))
}

/// The providers and models of the accepted changes, and the runs.
fn made_by(history: &History, steps: &[History]) -> String {
    let mut authors: Vec<String> = Vec::new();
    for (object, _) in [history].into_iter().chain(steps).flat_map(History::patch_sets) {
        let actor = &object.created_by;
        let model = actor.display_name.as_ref().map(|model| format!(" ({})", inline(model, 100))).unwrap_or_default();
        let author = format!("{}{model}", inline(&actor.id, 100));
        if !authors.contains(&author) {
            authors.push(author);
        }
    }
    format!(
        "{}, in the run {} of guardhost {}\n",
        authors.join(", "),
        code(&history.run, 64),
        env!("CARGO_PKG_VERSION")
    )
    .trim_start_matches(", ")
    .to_owned()
}

/// Scores before and after, of a run of `host improve` that measured both.
fn metrics(history: &History) -> Option<String> {
    let read = |artifact: Artifact| -> Option<Value> {
        let bytes = std::fs::read(history.dir.join("0").join(artifact.file())).ok()?;
        serde_json::from_slice(&bytes).ok()
    };
    let (before, after) = (read(Artifact::Audit)?, read(Artifact::AuditAfter)?);
    let score = |value: &Value| value.as_f64().map_or_else(|| "not measured".to_owned(), |score| format!("{score:.2}"));
    let mut rows = String::from("| metric | before | after |\n|---|---|---|\n");
    let mut row = |name: &str, before: &Value, after: &Value| {
        rows.push_str(&format!("| {} | {} | {} |\n", inline(name, 60), score(before), score(after)));
    };
    for metric in after["metrics"].as_array()? {
        let same = before["metrics"].as_array()?.iter().find(|known| known["id"] == metric["id"]);
        row(metric["id"].as_str()?, same.map_or(&Value::Null, |known| &known["score"]), &metric["score"]);
    }
    row("all", &before["overall"], &after["overall"]);
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn titles_are_one_short_line() {
        assert_eq!(title("\n  Let x() accept None\nand more"), "Let x() accept None");
        assert_eq!(title(&"word ".repeat(30)).chars().count(), 72);
        assert_eq!(title(" \n"), "A change by guardhost");
    }
}

//! Recorded judgements that were repeated: what is the same in one line, and what is not by name.

use guardhost_report::{
    AttestationReplay, ChangeReplay, CommitReplay, GuardOutcome, GuardReplay, GuardSide, ReceiptSignature,
    RecordProblem, ReplayReport, RunReplay, SignedReceipt, escape,
};

use super::super::format_units::{self, count};
use super::writer::{BOLD, GREEN, PLAIN, PageWriter, RED, YELLOW};

/// Characters of a digest that are shown: enough to tell two apart.
const DIGEST: usize = "sha256:".len() + 12;

pub fn replay(page: &mut PageWriter, report: &ReplayReport) {
    for each in &report.runs {
        page.gap();
        run(page, each);
    }
    if let Some(each) = &report.commit {
        page.gap();
        commit(page, each);
    }
    page.gap();
    for notice in &report.notices {
        let label = page.paint(YELLOW, "note");
        page.labelled(&label, notice, PLAIN);
    }
    if let Some(exported) = &report.exported {
        let size = format_units::size(exported.bytes);
        let components = count(exported.components as usize, "component");
        let path = escape::inline(&exported.path.to_string_lossy(), 500);
        page.line(&format!("written: {path}, {size}, with {components}"));
        return;
    }
    if let Some(each) = &report.attestation {
        attestation(page, each);
        return;
    }
    let changes: Vec<&ChangeReplay> = report.runs.iter().flat_map(|run| &run.changes).collect();
    let verdicts = changes.iter().map(|change| change.guards.len()).sum::<usize>();
    let judged = format!("{} of {} judged again", count(verdicts, "verdict"), count(changes.len(), "change"));
    page.line(&match (report.is_same(), changes.is_empty()) {
        (true, false) => format!("{}: {judged}, byte for byte", page.paint(GREEN, "same")),
        (true, true) => page.paint(GREEN, "same"),
        (false, false) => format!("{}: {judged}", page.paint(RED, "different")),
        (false, true) => page.paint(RED, "different"),
    });
}

fn run(page: &mut PageWriter, run: &RunReplay) {
    let id = escape::inline(&run.run, 100);
    page.line(&format!("{} {id}  host {}", page.paint(BOLD, "run"), escape::inline(run.command.typed(), 40)));
    page.inside(2, |page| {
        if run.host_then != run.host_now && !run.host_then.is_empty() {
            page.field("judged by", &format!("{} then, {} now", escape::inline(&run.host_then, 60), run.host_now));
        }
        problems(page, &run.problems);
        for each in &run.changes {
            change(page, each);
        }
        if run.changes.is_empty() {
            page.field("changes", "none that guards judged");
        }
    });
}

fn problems(page: &mut PageWriter, problems: &[RecordProblem]) {
    for problem in problems {
        let what = escape::inline(&problem.what, 200);
        let text = format!("{}: {}", page.paint(RED, &what), escape::inline(&problem.message, 400));
        page.field("record", &text);
    }
}

fn change(page: &mut PageWriter, change: &ChangeReplay) {
    let fixed = if change.fixed { " with the guards' fixes" } else { "" };
    let same = change.guards.iter().filter(|guard| guard.outcome.is_same()).count();
    let answers = change.guards.iter().map(|guard| guard.answers as usize).sum::<usize>();
    let of_answers = match answers {
        0 => String::new(),
        answers => format!(", {} from the record", count(answers, "answer")),
    };
    let title = format!("round {}{fixed}", change.round);
    let guards = format!("{same} of {}{of_answers}", count(change.guards.len(), "guard"));
    page.line(&match (change.rebuilt, change.is_same()) {
        (None, _) => format!("{title}: {}", page.paint(RED, "the change cannot be had")),
        (Some(_), true) => format!("{title}: {}, {guards}", page.paint(GREEN, "same")),
        (Some(_), false) => format!("{title}: {}, {guards} are the same", page.paint(RED, "different")),
    });
    page.inside(2, |page| {
        problems(page, &change.problems);
        let is_verbose = page.look.verbose;
        for each in change.guards.iter().filter(|guard| is_verbose || !guard.outcome.is_same()) {
            guard(page, each);
        }
        if let Some(receipt) = change.receipt.as_ref().filter(|receipt| !receipt.is_same()) {
            let text = format!("{} then, {} now", short(&receipt.recorded), short(&receipt.replayed));
            page.field("receipt", &page.paint(RED, &text));
        }
    });
}

fn guard(page: &mut PageWriter, guard: &GuardReplay) {
    let id = escape::inline(&guard.id, 64);
    let sides = |what: fn(&GuardSide) -> String| {
        let side = |side: &Option<GuardSide>| side.as_ref().map(what).unwrap_or_default();
        (side(&guard.recorded), side(&guard.replayed))
    };
    let (then, now) = sides(|side| escape::inline(&side.verdict, 20));
    let text = match &guard.outcome {
        GuardOutcome::Same => format!("same: {now}"),
        GuardOutcome::ComponentDiffers { says_same } => {
            let (then, now) = sides(|side| {
                format!("{} {}", escape::inline(&side.version, 40), short(&side.digest)).trim().to_owned()
            });
            let says = match says_same {
                Some(true) => ", which says the same",
                Some(false) => ", which says something else",
                None => "",
            };
            format!("another component: {then} then, {now} now{says}")
        }
        GuardOutcome::VerdictDiffers { fields } => {
            let fields = fields.iter().map(|field| escape::inline(field, 40)).collect::<Vec<_>>().join(", ");
            format!("the same component says something else: {then} then, {now} now; different are {fields}")
        }
        GuardOutcome::AnswersMissing(why) => format!("an answer is missing: {}", escape::inline(why, 300)),
        GuardOutcome::CannotLoad(why) => format!("cannot be loaded: {}", escape::inline(why, 400)),
        GuardOutcome::CannotJudge(why) => format!("cannot judge here: {}", escape::inline(why, 400)),
        GuardOutcome::Missing => "judged then; the rules do not have it now".to_owned(),
        GuardOutcome::New => format!("did not judge then, and says {now}"),
    };
    let text = if guard.outcome.is_same() { text } else { page.paint(RED, &text) };
    page.field("guard", &format!("{id}: {text}"));
}

fn commit(page: &mut PageWriter, commit: &CommitReplay) {
    page.line(&format!("{} {}", page.paint(BOLD, "commit"), escape::inline(&commit.commit, 64)));
    page.inside(2, |page| {
        let run = commit.run.as_deref().map(|run| escape::inline(run, 64));
        match (run, commit.is_recorded) {
            (Some(run), true) => page.field("run", &run),
            (Some(run), false) => page.field("run", &format!("{run}, which is not recorded here")),
            (None, _) => page.field("run", "it names none: the host did not make it"),
        }
        if !commit.is_recorded {
            let needy = commit.guards.iter().filter(|guard| !guard.needs.is_empty());
            for guard in needy {
                let needs = guard.needs.iter().map(|need| escape::inline(need, 40)).collect::<Vec<_>>().join(", ");
                let id = escape::inline(&guard.id, 64);
                page.field("guard", &format!("{id}: needs what a commit does not hold: {needs}"));
            }
        }
        match &commit.receipt {
            None => page.field("receipt", &page.paint(YELLOW, "it has none")),
            Some(receipt) if receipt.is_same() => {
                page.field("receipt", &page.paint(GREEN, "the same, so the same guards said the same"));
            }
            Some(receipt) => {
                let text = format!("{} in the commit, {} now", short(&receipt.recorded), short(&receipt.replayed));
                page.field("receipt", &page.paint(RED, &text));
            }
        }
        signature(page, &commit.signed);
    });
}

fn attestation(page: &mut PageWriter, attestation: &AttestationReplay) {
    page.line(&format!("{} {}", page.paint(BOLD, "commit"), escape::inline(&attestation.commit, 64)));
    let path = escape::inline(&attestation.path.to_string_lossy(), 500);
    page.inside(2, |page| {
        page.field("guards", &format!("{} now", escape::inline(&attestation.result, 20)));
        signature(page, &attestation.signed);
        for at in &attestation.differs {
            page.field("statement", &page.paint(RED, &format!("{} is another one now", escape::inline(at, 100))));
        }
    });
    page.gap();
    page.line(&match (attestation.is_written, attestation.is_same()) {
        (true, _) => format!("written: {path}"),
        (false, true) => format!("{}: {path}", page.paint(GREEN, "same")),
        (false, false) => format!("{}: {path}", page.paint(RED, "different")),
    });
}

fn signature(page: &mut PageWriter, signed: &SignedReceipt) {
    let text = match &signed.signature {
        ReceiptSignature::Unsigned if !signed.is_demanded => return,
        ReceiptSignature::Unsigned => "it has none, and one is demanded".to_owned(),
        ReceiptSignature::Good { signer, key } => {
            format!("good: of {}, {}", escape::inline(signer, 100), escape::inline(key, 64))
        }
        ReceiptSignature::UnknownKey { key } if signed.is_demanded => {
            format!("of {}, which is not allowed to sign", escape::inline(key, 64))
        }
        ReceiptSignature::UnknownKey { key } => {
            format!("of {}; --allowed-signers says whose counts", escape::inline(key, 64))
        }
        ReceiptSignature::Wrong { key } => {
            format!("wrong: {} signed something else, or it was changed", escape::inline(key, 64))
        }
        ReceiptSignature::Unreadable => "cannot be read as one of Ed25519".to_owned(),
    };
    let text = match (&signed.signature, signed.is_enough()) {
        (ReceiptSignature::Good { .. }, _) => page.paint(GREEN, &text),
        (_, true) => page.paint(YELLOW, &text),
        (_, false) => page.paint(RED, &text),
    };
    page.field("signature", &text);
}

fn short(digest: &str) -> String {
    let text: String = digest.chars().take(DIGEST).collect();
    escape::inline(&text, DIGEST)
}

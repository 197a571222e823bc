//! What the host could not find out for a guard in one call. A guard that was not told does not know, and what it then says of the change,
//! short of a rejection, is no verdict: nobody looked.

use crate::text::escape::escape;
use guardhost_core::audit::Measurement;
use guardhost_core::change::{COULD_NOT_LOOK, Failed, GuardVerdict, Inapplicable};

/// Bytes of all reasons together.
const MOST: usize = 2_000;

#[derive(Debug, Clone, Default)]
pub struct Unanswered {
    /// What is missing on this machine, each once.
    lacks: Vec<String>,
    /// It asked for what this command offers to nobody.
    not_offered: bool,
}

impl Unanswered {
    /// A tool is missing or does not start, there is no sandbox, nobody answered.
    pub fn lacks(&mut self, why: impl Into<String>) {
        let why = why.into();
        if !self.lacks.contains(&why) {
            self.lacks.push(why);
        }
    }

    pub fn not_offered(&mut self) {
        self.not_offered = true;
    }

    /// The verdict that counts. A rejection rests on what was found, and stands.
    pub fn verdict(&self, said: GuardVerdict) -> GuardVerdict {
        match (said, self.error(), self.not_offered) {
            (GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_), Some(error), _) => error,
            (GuardVerdict::NotApplicable(Inapplicable::NothingHere(why)), None, true) => {
                GuardVerdict::NotApplicable(Inapplicable::NotOffered(why))
            }
            (said, _, _) => said,
        }
    }

    /// The code of an error that the guard itself returns: one that lacked something could not look, whatever it says of it.
    pub fn code_of_error(&self) -> &'static str {
        if self.lacks.is_empty() { "guard-error" } else { COULD_NOT_LOOK }
    }

    /// The measurement that counts where the metric was asked for by its name: there it is not enough to say that it is not known.
    pub fn named(&self, said: Measurement) -> Measurement {
        match (said, self.message()) {
            (Measurement::NotMeasured(_), Some(message)) => Measurement::Failed { code: COULD_NOT_LOOK, message },
            (said, _) => said,
        }
    }

    fn error(&self) -> Option<GuardVerdict> {
        let message = self.message()?;
        Some(GuardVerdict::Error { code: COULD_NOT_LOOK, message, failed: Failed::Run })
    }

    fn message(&self) -> Option<String> {
        let lacks = self.lacks.join("; ");
        (!lacks.is_empty()).then(|| format!("it could not look: {}", escape(&lacks, MOST)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guardhost_core::change::{Finding, Severity};

    fn finding(severity: Severity) -> Finding {
        Finding::new("r", severity, "m")
    }

    fn said() -> [GuardVerdict; 4] {
        [
            GuardVerdict::Pass(vec![finding(Severity::Info)]),
            GuardVerdict::NotApplicable(Inapplicable::NothingHere("go is not installed".to_owned())),
            GuardVerdict::Reject(vec![finding(Severity::Error)]),
            GuardVerdict::Error { code: "trap", message: "t".to_owned(), failed: Failed::Run },
        ]
    }

    #[test]
    fn whoever_could_not_look_neither_passes_nor_is_out_of_place() {
        let mut lacking = Unanswered::default();
        lacking.lacks("go-test: go is not installed");
        lacking.lacks("go-test: go is not installed");
        let codes = said().map(|said| lacking.verdict(said).code().unwrap_or("-"));
        assert_eq!(codes, [COULD_NOT_LOOK, COULD_NOT_LOOK, "-", "trap"]);
        assert_eq!([Unanswered::default().code_of_error(), lacking.code_of_error()], ["guard-error", COULD_NOT_LOOK]);
        let reason = lacking.verdict(said()[0].clone());
        assert_eq!(reason.reason(), Some("it could not look: go-test: go is not installed"));
        for said in said() {
            assert_eq!(Unanswered::default().verdict(said.clone()), said, "what was told stands");
        }
    }

    #[test]
    fn what_a_command_does_not_offer_is_a_reason_of_its_own() {
        let mut asked = Unanswered::default();
        asked.not_offered();
        let [pass, not_applicable, ..] = said();
        assert_eq!(asked.verdict(pass.clone()), pass);
        let why = Inapplicable::NotOffered("go is not installed".to_owned());
        assert_eq!(asked.verdict(not_applicable), GuardVerdict::NotApplicable(why));
    }

    #[test]
    fn a_metric_that_was_named_is_known_or_failed() {
        let mut lacking = Unanswered::default();
        let not_measured = || Measurement::NotMeasured("go is not installed".to_owned());
        assert!(matches!(lacking.named(not_measured()), Measurement::NotMeasured(_)), "the tree says so");
        lacking.lacks("go: go is not installed");
        assert!(matches!(lacking.named(not_measured()), Measurement::Failed { code: COULD_NOT_LOOK, .. }));
        assert!(matches!(lacking.named(Measurement::Measured(Vec::new())), Measurement::Measured(_)));
    }
}

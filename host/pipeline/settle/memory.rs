//! Noticing that a run goes in a circle.

use std::collections::BTreeSet;

use guardhost_core::change::RoundFailure;

/// What was tried and what came of it, round by round. One for each run.
#[derive(Debug, Default)]
pub struct AttemptMemory {
    rounds: Vec<Round>,
}

#[derive(Debug)]
struct Round {
    attempt: blake3::Hash,
    setback: blake3::Hash,
    guards: BTreeSet<String>,
}

/// The same attempt failed in the same way before: another round would bring nothing new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The earlier round, from 1.
    pub round: u32,
    /// Guards that rejected in any round of the circle, sorted: where there are several they may not all be pleased. Empty
    /// when no guard was asked.
    pub guards: Vec<String>,
}

impl AttemptMemory {
    /// Remembers a round. `attempt` is what identifies the patch: the id of the candidate's tree, or the patch's bytes
    /// where there is no candidate.
    pub fn remember(&mut self, attempt: &[u8], setback: &RoundFailure) -> Option<Cycle> {
        let round = Round { attempt: blake3::hash(attempt), setback: digest(setback), guards: rejecting(setback) };
        let before = self.rounds.iter().position(|past| (past.attempt, past.setback) == (round.attempt, round.setback));
        self.rounds.push(round);
        let before = before?;
        let guards: BTreeSet<_> = self.rounds[before..].iter().flat_map(|round| round.guards.iter().cloned()).collect();
        Some(Cycle { round: before as u32 + 1, guards: guards.into_iter().collect() })
    }
}

/// Of what the setback says, not of how long it took or what was logged.
fn digest(setback: &RoundFailure) -> blake3::Hash {
    let said = match setback {
        RoundFailure::NoPatch(none) => format!("no-patch {:?}", none.kind),
        RoundFailure::Refused(refused) => format!("refused {:?} {:?}", refused.kind, refused.path),
        RoundFailure::Misfit(misfit) => format!("misfit {:?}", misfit.at),
        RoundFailure::Rejected(rejection) => {
            let said = rejection.judgement.evidence.iter().map(|evidence| (&evidence.id, &evidence.verdict));
            format!("rejected {:?}", said.collect::<Vec<_>>())
        }
    };
    blake3::hash(said.as_bytes())
}

fn rejecting(setback: &RoundFailure) -> BTreeSet<String> {
    let RoundFailure::Rejected(rejection) = setback else { return BTreeSet::new() };
    rejection.judgement.against().into_iter().map(str::to_owned).collect()
}

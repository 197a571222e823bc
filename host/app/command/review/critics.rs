//! Who is asked as a critic, and through which providers.

use std::sync::Arc;

use guardhost_core::change::Judgement;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::model::Models;
use guardhost_engine::{EngineContext, GuardSet, HostServices, JudgeContext, guard};
use guardhost_pipeline::review::embedded_critics;
use guardhost_provider::Cancel;
use guardhost_report::journal::EmbeddedCritic;

use super::Reviewing;
use guardhost_gate::RulesAt;

use crate::cli::ProviderArgs;
use crate::command::start_run::Asking;

/// The grant of a critic.
const MODEL: &str = "model";

/// The critic that is asked where none is named or pinned.
const PANEL: &str = "critic-panel";

/// Critics with the settings `members` and `agree`; the others ask the first member.
const ENSEMBLES: [&str; 2] = [PANEL, "critic-self"];

impl Reviewing<'_> {
    /// The providers of the critics: one, or each member of an ensemble.
    pub(super) fn members(&self, cancel: &Cancel) -> Result<Vec<Asking>> {
        if self.args.members.is_empty() {
            return Ok(vec![self.asking(&self.args.provider, cancel.clone())?]);
        }
        let named = |name: &String| ProviderArgs {
            provider: Some(name.clone()),
            model: None,
            record: None,
            ..self.args.provider.clone()
        };
        self.args.members.iter().map(|name| self.asking(&named(name), cancel.clone())).collect()
    }

    /// The critics that the command line names; else those that the policy pins, or the panel; none where only votes are wanted.
    pub(super) fn critic_ids(&self) -> Vec<String> {
        match (&*self.args.critics, &*self.args.voters) {
            ([], []) => match self.pinned() {
                pinned if pinned.is_empty() => vec![PANEL.to_owned()],
                pinned => pinned,
            },
            (critics, _) => critics.to_vec(),
        }
    }

    /// Ids of the policy's guards that may ask models.
    fn pinned(&self) -> Vec<String> {
        let pins = self.gate.policy().config.rules.guards.iter();
        pins.filter(|pin| pin.grants.iter().any(|grant| grant == MODEL)).map(|pin| pin.id.clone()).collect()
    }

    /// Embedded critics advise: they are monitored, whatever they say. Pinned ones have the mode and the settings of their pins. With the
    /// embedded ones that were asked.
    pub(super) fn critics(&self, models: Arc<dyn Models>) -> Result<(Judgement, Vec<EmbeddedCritic>)> {
        let pinned = self.pinned();
        let (of_policy, embedded): (Vec<String>, Vec<String>) =
            self.critic_ids().into_iter().partition(|id| pinned.contains(id));
        let mut judgement = Judgement::default();
        let embedded = self.embedded(&embedded)?;
        if !embedded.is_empty() {
            let machine = self.ctx.policies().machine();
            let services = HostServices { models: Some(Arc::clone(&models)), ..machine.services.clone() };
            let set = embedded_critics(&embedded, self.ctx.embedded, &EngineContext { services, ..machine })?;
            judgement.evidence.extend(self.judged_by(&set)?);
        }
        if !of_policy.is_empty() {
            let RulesAt { commit, tree } = self.rules;
            let policy = self.ctx.policies().resolve(self.repo, commit, tree, &of_policy, &[])?;
            judgement.evidence.extend(self.judged_by(&policy.guards.with_models(models))?);
        }
        Ok((judgement, embedded))
    }

    fn judged_by(&self, set: &GuardSet) -> Result<Vec<guardhost_core::change::Evidence>> {
        let judgement = guard(self.candidate, set, &JudgeContext { task: self.task, observer: self.ctx });
        self.ctx.process.stop.check().map_err(|stopped| stopped.into_error("the review"))?;
        Ok(judgement.evidence)
    }

    /// # Errors
    /// [`FaultKind::Usage`]: the host has no such critic.
    fn embedded(&self, ids: &[String]) -> Result<Vec<EmbeddedCritic>> {
        let mut found = Vec::new();
        for id in ids {
            let Some(critic) = self.ctx.embedded.get(id).filter(|guard| guard.grants.contains(&MODEL)) else {
                let known = self.ctx.embedded.guards.iter().filter(|guard| guard.grants.contains(&MODEL));
                let names: Vec<String> = known.map(|guard| guard.id.to_owned()).chain(self.pinned()).collect();
                let fault = Fault::new(FaultKind::Usage, format!("there is no critic `{id}`"));
                return Err(fault.hint(format!("the critics are {}", names.join(", "))).into());
            };
            found.push(EmbeddedCritic { id: critic.id.to_owned(), settings: self.ensemble(id) });
        }
        Ok(found)
    }

    /// Settings of a critic that asks several members.
    fn ensemble(&self, critic: &str) -> serde_json::Value {
        let members = self.args.members.len();
        match members > 1 && ENSEMBLES.contains(&critic) {
            true => serde_json::json!({ "members": members, "agree": self.args.agree.min(members) }),
            false => serde_json::Value::Null,
        }
    }
}

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

/// Who answers the critics' questions.
pub(super) struct ReviewedBy {
    /// The provider of the review, or the members of an ensemble; None where every critic has its own.
    pub shared: Option<Arc<dyn Models>>,
    /// By the ids of critics.
    pub own: Vec<(String, Arc<dyn Models>)>,
}

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
            (critics, _) => critics.iter().map(|critic| split(critic).0.to_owned()).collect(),
        }
    }

    /// Critics that ask a provider of their own: `ID=PROVIDER`.
    pub(super) fn with_own_provider(&self, cancel: &Cancel) -> Result<Vec<(String, Asking)>> {
        let own = self.args.critics.iter().filter_map(|critic| match split(critic) {
            (id, Some(provider)) => Some((id, provider)),
            (_, None) => None,
        });
        own.map(|(id, provider)| {
            let provider = Some(provider.to_owned());
            let named = ProviderArgs { provider, model: None, record: None, ..self.args.provider.clone() };
            Ok((id.to_owned(), self.asking(&named, cancel.clone())?))
        })
        .collect()
    }

    /// Ids of the policy's guards that may ask models.
    fn pinned(&self) -> Vec<String> {
        let pins = self.gate.policy().config.rules.guards.iter();
        pins.filter(|pin| pin.grants.iter().any(|grant| grant == MODEL)).map(|pin| pin.id.clone()).collect()
    }

    /// Embedded critics advise: they are monitored, whatever they say. Pinned ones have the mode and the settings of their pins. With the
    /// embedded ones that were asked.
    pub(super) fn critics(
        &self,
        ids: Vec<String>,
        models: Arc<dyn Models>,
    ) -> Result<(Judgement, Vec<EmbeddedCritic>)> {
        let pinned = self.pinned();
        let (of_policy, embedded): (Vec<String>, Vec<String>) = ids.into_iter().partition(|id| pinned.contains(id));
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

    /// What all of them say: those with a provider of their own ask it, and the others the provider of the review, if there are any.
    pub(super) fn all_critics(
        &self,
        ReviewedBy { shared, own }: ReviewedBy,
    ) -> Result<(Judgement, Vec<EmbeddedCritic>)> {
        let mut groups: Vec<(Vec<String>, Arc<dyn Models>)> = Vec::new();
        if let Some(shared) = shared {
            let is_shared = |id: &String| own.iter().all(|(other, _)| other != id);
            groups.push((self.critic_ids().into_iter().filter(is_shared).collect(), shared));
        }
        groups.extend(own.into_iter().map(|(id, models)| (vec![id], models)));
        let (mut judgement, mut embedded) = (Judgement::default(), Vec::new());
        for (ids, models) in groups {
            let (said, asked) = self.critics(ids, models)?;
            judgement.evidence.extend(said.evidence);
            embedded.extend(asked);
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

/// A critic's id, and the provider that it asks, if it has one of its own.
fn split(critic: &str) -> (&str, Option<&str>) {
    critic.split_once('=').map_or((critic, None), |(id, provider)| (id, Some(provider)))
}

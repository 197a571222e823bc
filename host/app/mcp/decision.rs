//! What only a person may decide: an edit of the files that hold the rules. The client asks its user, by the protocol's elicitation. From
//! 2026-07-28 on the question is the answer to the call, which comes again with what the person said; before, it is a request to the client.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, ProtocolVersion, ServerRequest,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::session::WriteAnswer;
use guardhost_gate::RuleChanges;
use guardhost_report::escape::block;

/// The question, and the field of its answer.
const KEY: &str = "allow";

/// A longer diff is shown to nobody, in bytes: what a person does not see to its end is not allowed.
const MAX_SHOWN: usize = 16 << 10;

/// Questions that wait for a person; the oldest is forgotten then, and asked again.
const MAX_WAITING: usize = 32;

/// What a person said of one write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleDecision {
    /// Nobody was asked.
    Open,
    Allowed,
    Declined,
}

/// How a question was put.
pub(super) enum QuestionState {
    /// The answer is there.
    Now(RuleDecision),
    /// The client calls again with the answer.
    Later(InputRequiredResult),
    /// The client has no person, or the change is too long to be shown.
    Nobody,
}

/// The questions that were put and not answered: an answer counts once, and for the same call alone.
#[derive(Default)]
pub(super) struct Decisions(Mutex<VecDeque<WaitingQuestion>>);

struct WaitingQuestion {
    state: String,
    call: [u8; 32],
}

impl RuleDecision {
    pub fn rule_changes(self) -> RuleChanges {
        match self {
            RuleDecision::Allowed => RuleChanges::Allowed,
            RuleDecision::Open | RuleDecision::Declined => RuleChanges::Kept,
        }
    }

    /// Tells a model that its user was asked, so that it does not ask in another way.
    pub fn explain(self, answer: &mut WriteAnswer) {
        if self == RuleDecision::Declined {
            answer.message += ". The user was asked, and does not allow it.";
        }
    }

    fn from_answer(answer: &ElicitResult) -> Self {
        let says_yes = answer.content.as_ref().is_some_and(|content| content[KEY] == Value::Bool(true));
        match answer.action {
            ElicitationAction::Accept if says_yes => RuleDecision::Allowed,
            _ => RuleDecision::Declined,
        }
    }
}

impl Decisions {
    /// What a person said of this call, if it comes with an answer to a question that waits for one.
    pub fn find(&self, request: &CallToolRequestParams) -> RuleDecision {
        let Some(state) = &request.request_state else { return RuleDecision::Open };
        let call = digest(request);
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = waiting.iter().position(|one| one.state == *state && one.call == call) else {
            return RuleDecision::Open;
        };
        waiting.remove(at);
        let answer = request.input_responses.as_ref().and_then(|answers| answers.get(KEY));
        match answer.map(|answer| serde_json::from_value(answer.clone())) {
            Some(Ok(answer)) => RuleDecision::from_answer(&answer),
            // No answer is asked for again; what cannot be read allows nothing.
            None => RuleDecision::Open,
            Some(Err(_)) => RuleDecision::Declined,
        }
    }

    pub async fn ask(
        &self,
        request: &CallToolRequestParams,
        client: &RequestContext<RoleServer>,
        diff: &str,
    ) -> QuestionState {
        let elicits = client.client_capabilities().and_then(|client| client.elicitation);
        // A client that names no kind has forms alone.
        if !elicits.is_some_and(|kinds| kinds.form.is_some() || kinds.url.is_none()) || diff.len() > MAX_SHOWN {
            return QuestionState::Nobody;
        }
        let Some(question) = question(diff) else { return QuestionState::Nobody };
        if client.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            let waiting = WaitingQuestion { state: Uuid::new_v4().to_string(), call: digest(request) };
            let requests = InputRequests::from([(KEY.to_owned(), InputRequest::Elicitation(question))]);
            let result = InputRequiredResult::new(Some(requests), Some(waiting.state.clone()));
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.truncate(MAX_WAITING - 1);
            all.push_front(waiting);
            return QuestionState::Later(result);
        }
        match client.peer.send_request(ServerRequest::ElicitRequest(question)).await {
            Ok(ClientResult::ElicitResult(answer)) => QuestionState::Now(RuleDecision::from_answer(&answer)),
            Ok(_) | Err(_) => QuestionState::Nobody,
        }
    }
}

/// The diff as a block of code of Markdown: what it holds neither steers a terminal, nor is hidden as markup, nor passes for what is said here.
fn question(diff: &str) -> Option<ElicitRequest> {
    let diff: String = block(diff, MAX_SHOWN).split('\n').map(|line| format!("    {line}\n")).collect();
    let message = format!(
        "An agent wants to change the rules that judge its edits. It is one write, to the work tree; a commit of it is refused until you allow \
         that too.\n\n{diff}"
    );
    let schema = ElicitationSchema::builder().required_bool_with(KEY, |field| field.title("Allow this change"));
    let requested_schema = schema.build().ok()?;
    Some(ElicitRequest::new(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema }))
}

/// Of the tool and its arguments.
fn digest(request: &CallToolRequestParams) -> [u8; 32] {
    let arguments = request.arguments.as_ref().map(|arguments| Value::Object(arguments.clone()).to_string());
    Sha256::digest(format!("{}\0{}", request.name, arguments.unwrap_or_default())).into()
}

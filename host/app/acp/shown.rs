//! What an agent shows of its tool calls, kept for the question to a person that may follow.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;

/// Tool calls that are kept; the oldest are forgotten.
const KEPT_CALLS: usize = 64;

/// `session/update`.
#[derive(Deserialize)]
pub struct SessionUpdate {
    pub update: Update,
}

#[derive(Deserialize)]
#[serde(tag = "sessionUpdate", rename_all = "snake_case")]
pub enum Update {
    ToolCall(ToolCallUpdate),
    ToolCallUpdate(ToolCallUpdate),
    /// It shows no tool call.
    #[serde(other)]
    Other,
}

/// `session/request_permission`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPermission {
    pub tool_call: ToolCallUpdate,
}

/// A tool call, or what is new of one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallUpdate {
    tool_call_id: String,
    content: Option<Vec<ToolContent>>,
    pub raw_input: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ToolContent {
    Diff(ToolDiff),
    /// It changes no file.
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDiff {
    pub path: String,
    pub old_text: Option<String>,
    pub new_text: String,
}

impl ToolCallUpdate {
    pub fn diffs(&self) -> impl Iterator<Item = &ToolDiff> {
        self.content.iter().flatten().filter_map(|part| match part {
            ToolContent::Diff(diff) => Some(diff),
            ToolContent::Other => None,
        })
    }

    /// With what was shown before where it shows nothing itself.
    fn over(mut self, before: Self) -> Self {
        if self.diffs().next().is_none() {
            self.content = before.content;
        }
        self.raw_input = self.raw_input.or(before.raw_input);
        self
    }
}

#[derive(Default)]
pub struct Shown {
    /// With their sessions: agents count the tool calls of each from the beginning.
    calls: VecDeque<(String, ToolCallUpdate)>,
    /// Some were forgotten.
    forgot: bool,
}

impl Shown {
    /// Keeps what an agent shows of a tool call.
    pub fn show(&mut self, session: &str, call: ToolCallUpdate) {
        let call = self.completed(session, call);
        self.calls.retain(|(of, known)| of != session || known.tool_call_id != call.tool_call_id);
        self.calls.push_back((session.to_owned(), call));
        if self.calls.len() > KEPT_CALLS {
            self.calls.pop_front();
            self.forgot = true;
        }
    }

    /// What a person is asked about.
    ///
    /// # Errors
    /// A sentence: what was shown of it may have been forgotten.
    pub fn asked(&self, session: &str, call: ToolCallUpdate) -> Result<ToolCallUpdate, String> {
        let call = self.completed(session, call);
        match self.forgot && call.content.is_none() && call.raw_input.is_none() {
            true => Err("the question shows neither an edit nor a command, and is about an old tool call".to_owned()),
            false => Ok(call),
        }
    }

    fn completed(&self, session: &str, call: ToolCallUpdate) -> ToolCallUpdate {
        let mut known =
            self.calls.iter().filter(|(of, known)| of == session && known.tool_call_id == call.tool_call_id);
        match known.next() {
            Some((_, before)) => call.over(before.clone()),
            None => call,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str, raw: Option<&str>) -> ToolCallUpdate {
        ToolCallUpdate { tool_call_id: id.to_owned(), content: None, raw_input: raw.map(Value::from) }
    }

    #[test]
    fn a_call_that_may_have_been_forgotten_is_no_harmless_one() {
        let mut shown = Shown::default();
        shown.show("s", call("old", Some("x")));
        shown.show("t", call("old", Some("y")));
        assert_eq!(shown.asked("s", call("old", None)), Ok(call("old", Some("x"))));
        assert_eq!(shown.asked("s", call("unknown", None)), Ok(call("unknown", None)));
        (0..KEPT_CALLS).for_each(|at| shown.show("s", call(&at.to_string(), Some("z"))));
        assert!(shown.asked("s", call("old", None)).is_err());
        assert_eq!(shown.asked("s", call("1", None)), Ok(call("1", Some("z"))));
        assert_eq!(shown.asked("s", call("old", Some("x"))), Ok(call("old", Some("x"))));
    }
}

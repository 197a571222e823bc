//! The arguments of the tools. Models read these doc comments: they become the descriptions in the schemas.

use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

use crate::session::Encoding;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadFile {
    /// From the root of the repository, or absolute.
    #[serde(alias = "file_path", alias = "absolute_path")]
    pub path: String,
    /// Lines to skip at the beginning, to read a long file in parts.
    #[serde(default)]
    pub offset: usize,
    /// The most lines to read.
    pub limit: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SafePatch {
    /// From the root of the repository, or absolute.
    #[serde(alias = "file_path", alias = "absolute_path")]
    pub path: String,
    /// A unified diff of this one file, with at least 3 lines of context around each change, copied exactly.
    pub unified_diff: String,
    /// The sha256 that came with the content that the diff is made from. For a file that does not exist, the hash of the empty
    /// string: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.
    pub base_content_sha256: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteFile {
    /// From the root of the repository, or absolute.
    #[serde(alias = "file_path", alias = "absolute_path")]
    pub path: String,
    /// The whole new content.
    pub content: String,
    /// The sha256 that came with the content when you read the file. Required if the file exists.
    pub base_content_sha256: Option<String>,
    /// The encoding of `content`; base64 is for bytes that are not UTF-8.
    #[serde(default)]
    pub encoding: Encoding,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Judge the staged changes instead of the work tree.
    #[serde(default)]
    pub staged: bool,
    /// The file of a plan, to judge the changes as one step of it: by its task and the files that it names.
    pub plan: Option<String>,
    /// The id of the step.
    pub step: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditArguments {
    /// Build the projects and run their tests, in a sandbox. It may take minutes.
    #[serde(default)]
    pub builds: bool,
    /// Ids of the metrics to report; all without it.
    #[serde(default)]
    pub metrics: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogArguments {
    /// How many runs to list: 1 to 100; 20 without it.
    pub limit: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewArguments {
    /// Review the staged changes instead of the work tree.
    #[serde(default)]
    pub staged: bool,
    /// What the changes are for.
    pub task: Option<String>,
    /// Critics to ask: critic-panel, critic-devil, critic-questions, critic-self. Without critics and voters the panel is asked.
    #[serde(default)]
    pub critics: Vec<String>,
    /// Providers of the user that vote; an approval needs two or more.
    #[serde(default)]
    pub voters: Vec<String>,
    /// The model that made the changes, so that no voter is of its family.
    pub author: Option<String>,
    /// The provider of the user that critics ask; the user's own chain without it.
    pub provider: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PullArguments {
    pub action: PullAction,
    /// The run: the beginning of its id, or its branch. Without it the newest that committed something.
    pub run: Option<String>,
    /// Of a new pull request; the first line of the run's task without it.
    pub title: Option<String>,
    /// Open a new one as a draft.
    #[serde(default)]
    pub draft: bool,
    /// Labels beside `guardhost`.
    #[serde(default)]
    pub labels: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PullAction {
    /// Push, and open it or bring it up to date. The guards judge it first.
    Open,
    /// Change nothing.
    Status,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixIssues {
    /// The issues to fix. One of `issues`, `sarif` and `resume` is needed.
    pub issues: Option<Vec<IssueArgument>>,
    /// A SARIF 2.1.0 file in the repository.
    pub sarif: Option<String>,
    /// The run of an earlier call that stopped.
    pub resume: Option<String>,
    /// Providers of the user that review the fixes, of another family of models than the one that makes them.
    pub reviewers: Vec<String>,
    /// The provider of the user that makes the fixes; the user's own chain without it.
    pub provider: Option<String>,
    /// Count committed and reviewed issues without a detector as done.
    #[serde(default)]
    pub accept_touched: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IssueArgument {
    pub title: String,
    #[serde(default)]
    pub description: String,
    /// From the root of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// 1 (trivial) to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<u32>,
    /// How many files it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanArguments {
    pub tasks: Vec<PlanTaskArguments>,
    /// What the user asked for.
    pub task: Option<String>,
    /// What the plan has to keep to: docs, quality, tests, issue, migrate, or a scope of guards.toml.
    pub scope: Option<String>,
    /// What the tool `audit` said, if the plan was made from it: its metrics that fail, with their points.
    pub audit: Option<PlanAudit>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct PlanAudit {
    pub metrics: Vec<serde_json::Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanTaskArguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub title: String,
    /// The smallest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    #[serde(default)]
    pub description: String,
    pub subtasks: Vec<PlanStepArguments>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanStepArguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub title: String,
    #[serde(default)]
    pub description: String,
    /// Paths from the root of the repository.
    pub file_hints: Vec<String>,
    pub action: PlanAction,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanAction {
    Create,
    Modify,
    Delete,
    Verify,
}

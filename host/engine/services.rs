//! Services of the host for guards with the capability, beside the change itself.

use std::sync::Arc;

use crate::link_check::LinkChecker;
use crate::model::Models;
use crate::registries::Registries;
use guard_files::Kinds;
use guardhost_core::change::{CommitLog, RecordedAnswers, RunHistory};
use guardhost_toolchain::Toolchain;

/// None of them by default: a guard's question is then answered with `unavailable`, so that it can pass on the reason instead of
/// failing.
#[derive(Clone, Default)]
pub struct HostServices {
    /// What paths are, for `files`.
    pub kinds: Arc<Kinds>,
    /// For `net`.
    pub net: Option<Arc<LinkChecker>>,
    /// For `registry`.
    pub registries: Option<Arc<Registries>>,
    /// The outcomes of earlier runs, for `history`.
    pub past: Option<Arc<dyn RunHistory>>,
    /// Git's log, for `commits`.
    pub commits: Option<Arc<dyn CommitLog>>,
    /// Builds and tests, for `toolchain`.
    pub toolchain: Option<Arc<Toolchain>>,
    /// For `model`.
    pub models: Option<Arc<dyn Models>>,
    /// In a replay: the answers of the judgement that is repeated. No service is asked then, and a question that has no answer here ends
    /// its call.
    pub recorded: Option<Arc<RecordedAnswers>>,
}

impl HostServices {
    /// Checks links, and has no other service.
    pub fn only(net: LinkChecker) -> Self {
        HostServices { net: Some(Arc::new(net)), ..HostServices::default() }
    }
}

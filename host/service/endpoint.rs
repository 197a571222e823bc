//! The paths of the server.

/// Every path of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endpoint {
    RepoFingerprint,
    RepoAgentLog,
    Observation,
    RepoContext,
    RepoBlame,
    RepoChurn,
    Diff,
    FileFingerprint,
    FileImports,
    FileExports,
    Symbol,
    AgentIdentity,
    Contract,
    Claim,
    Events,
    Healthz,
    Readyz,
    Metrics,
    RepoTestMap,
    RepoFailingTests,
    FileFrozenRegions,
    FileLastSafe,
    RunTestsDelta,
    Scorecard,
}

impl Endpoint {
    pub const ALL: [Endpoint; 24] = [
        Endpoint::RepoFingerprint,
        Endpoint::RepoAgentLog,
        Endpoint::Observation,
        Endpoint::RepoContext,
        Endpoint::RepoBlame,
        Endpoint::RepoChurn,
        Endpoint::Diff,
        Endpoint::FileFingerprint,
        Endpoint::FileImports,
        Endpoint::FileExports,
        Endpoint::Symbol,
        Endpoint::AgentIdentity,
        Endpoint::Contract,
        Endpoint::Claim,
        Endpoint::Events,
        Endpoint::Healthz,
        Endpoint::Readyz,
        Endpoint::Metrics,
        Endpoint::RepoTestMap,
        Endpoint::RepoFailingTests,
        Endpoint::FileFrozenRegions,
        Endpoint::FileLastSafe,
        Endpoint::RunTestsDelta,
        Endpoint::Scorecard,
    ];

    /// As the router spells it; the last part of some takes the rest of the path.
    pub fn path(self) -> &'static str {
        match self {
            Endpoint::RepoFingerprint => "/repo/fingerprint",
            Endpoint::RepoAgentLog => "/repo/agent-log",
            Endpoint::Observation => "/observation",
            Endpoint::RepoContext => "/repo/context",
            Endpoint::RepoBlame => "/repo/blame/{*path}",
            Endpoint::RepoChurn => "/repo/churn/{*path}",
            Endpoint::Diff => "/diff",
            Endpoint::FileFingerprint => "/file/fingerprint",
            Endpoint::FileImports => "/file/imports",
            Endpoint::FileExports => "/file/exports",
            Endpoint::Symbol => "/symbol",
            Endpoint::AgentIdentity => "/agent/identity/{commit}",
            Endpoint::Contract => "/contract",
            Endpoint::Claim => "/claim",
            Endpoint::Events => "/events",
            Endpoint::Healthz => "/healthz",
            Endpoint::Readyz => "/readyz",
            Endpoint::Metrics => "/metrics",
            Endpoint::RepoTestMap => "/repo/test-map",
            Endpoint::RepoFailingTests => "/repo/failing-tests",
            Endpoint::FileFrozenRegions => "/file/frozen-regions",
            Endpoint::FileLastSafe => "/file/last-safe",
            Endpoint::RunTestsDelta => "/run/{run}/tests/delta",
            Endpoint::Scorecard => "/scorecard/{run}",
        }
    }

    /// The methods that it answers.
    pub fn methods(self) -> &'static [&'static str] {
        match self {
            Endpoint::RepoFingerprint => &["GET", "PUT"],
            Endpoint::Observation => &["POST"],
            Endpoint::Claim => &["GET", "POST", "DELETE"],
            Endpoint::Events => &["GET", "POST"],
            _ => &["GET"],
        }
    }

    /// Answered without a token: whether the server lives says nothing of any repository.
    pub(crate) fn is_open(self) -> bool {
        matches!(self, Endpoint::Healthz | Endpoint::Readyz)
    }
}

//! `host audit`.

use clap::Args;

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The commit to measure: a branch, a tag, an id
    #[arg(long = "ref", value_name = "REV", default_value = "HEAD", env = "GUARDHOST_REF")]
    pub revision: String,
    /// Run no builds and no tests: the metrics `build` and `test_results` are not measured then
    #[arg(long, env = "GUARDHOST_NO_BUILDS", value_parser = clap::builder::FalseyValueParser::new())]
    pub no_builds: bool,
    /// Report this metric only; may be given several times
    #[arg(long = "metric", value_name = "ID")]
    pub metrics: Vec<String>,
}

impl AuditArgs {
    /// Whether code of the repository is to be built and tested, in the sandbox.
    pub fn runs_code(&self) -> bool {
        let asks = |metric: &String| matches!(metric.as_str(), "build" | "test_results");
        !self.no_builds && (self.metrics.is_empty() || self.metrics.iter().any(asks))
    }
}

//! Nine metrics of a repository that are read off its files: nothing of it is run.

mod ci;
mod deps;
mod docs;
mod languages;
mod license;
mod material;
mod practice;
mod quality;
mod readme;
mod rules;
mod secrets;
mod security;
mod structure;
mod tests;
mod workflows;

use guard_sdk::analysis::{Analyzer, Measurement, Metric, Tree};
use guard_sdk::{About, Capability, Need, NoSettings, Stage, analyzer};

pub struct RepositoryMetrics;

impl Analyzer for RepositoryMetrics {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        promise: "Every point of a score names what earned it, or what would.",
        stages: &[Stage::Analysis],
        needs: &[
            Need::new(Capability::Repo, "the files of the repository are what is measured"),
            Need::new(Capability::Facts, "languages and manifests say which files are to be expected"),
        ],
        rules: rules::RULES,
        ..About::NONE
    };

    /// The weights are those of the pipeline that the metrics come from.
    const METRICS: &'static [Metric] = &[
        Metric { id: "readme", weight: 1_200 },
        Metric { id: "ci", weight: 1_500 },
        Metric { id: "tests", weight: 1_400 },
        Metric { id: "security", weight: 1_600 },
        Metric { id: "code_quality", weight: 1_100 },
        Metric { id: "deps", weight: 1_000 },
        Metric { id: "docs", weight: 900 },
        Metric { id: "license", weight: 800 },
        Metric { id: "structure", weight: 1_000 },
    ];

    fn measure(metric: &str, tree: &Tree, _: NoSettings) -> Result<Measurement, String> {
        Ok(match metric {
            "readme" => Measurement::Measured(readme::points(tree)),
            "ci" => Measurement::Measured(ci::points(tree)),
            "tests" => tests::measure(tree),
            "security" => Measurement::Measured(security::points(tree)),
            "code_quality" => quality::measure(tree),
            "deps" => deps::measure(tree),
            "docs" => docs::measure(tree),
            "license" => Measurement::Measured(license::points(tree)),
            "structure" => Measurement::Measured(structure::points(tree)),
            other => return Err(format!("it has no metric `{other}`")),
        })
    }
}

analyzer!(RepositoryMetrics);

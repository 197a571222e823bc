//! The analysis stage: what a tree scores by a metric, and what each part of the score stands for.

use serde::de::DeserializeOwned;

use crate::analyzer_bindings::exports::guardhost::analysis::measure;
use crate::analyzer_bindings::guardhost::analysis::points as import;
use crate::bindings::guardhost::guard::report::Description;
use crate::files::relative;
use crate::{About, Change, Facts, Hit, Mode, Side, Toolchain, Unreadable};

/// An analyzer.
pub trait Analyzer {
    /// As in [`crate::Guard`].
    type Settings: DeserializeOwned;

    /// As in [`crate::Guard`]; its rules are those of the points.
    const ABOUT: About;

    /// What it measures: each is a call of its own.
    const METRICS: &'static [Metric];

    /// Measures one of the metrics. Err: the analyzer itself failed, and how.
    fn measure(metric: &str, tree: &Tree, settings: Self::Settings) -> Result<Measurement, String>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Lower-case words joined by `_`.
    pub id: &'static str,
    /// Its weight in the overall score, in thousandths.
    pub weight: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Measurement {
    /// The score is the sum of what they earned, at most 1000.
    Measured(Vec<Point>),
    /// Why nothing can be said.
    NotMeasured(String),
}

/// A part of a score, with its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// One of the analyzer's rules.
    pub rule: &'static str,
    /// Thousandths of the whole score, at most `possible`.
    pub earned: u32,
    pub possible: u32,
    pub path: Option<String>,
    /// From 1.
    pub line: Option<u32>,
    /// What earned it, or why it was not.
    pub message: String,
    /// What would earn the rest.
    pub help: String,
}

impl Point {
    /// All of it.
    pub fn earned(rule: &'static str, possible: u32, message: impl Into<String>) -> Self {
        Point::part(rule, possible, possible, message)
    }

    /// Nothing of it; `help` says what would earn it.
    pub fn missed(rule: &'static str, possible: u32, message: impl Into<String>, help: impl Into<String>) -> Self {
        Point { help: help.into(), ..Point::part(rule, 0, possible, message) }
    }

    pub fn part(rule: &'static str, earned: u32, possible: u32, message: impl Into<String>) -> Self {
        let (path, line, message, help) = (None, None, message.into(), String::new());
        Point { rule, earned, possible, path, line, message, help }
    }

    pub fn at(self, path: impl Into<String>) -> Self {
        Point { path: Some(path.into()), ..self }
    }

    pub fn line(self, line: u32) -> Self {
        Point { line: Some(line), ..self }
    }

    pub fn help(self, help: impl Into<String>) -> Self {
        Point { help: help.into(), ..self }
    }
}

/// The tree that is measured. What is read of it needs the capability `repo`, and so on as with a [`Change`].
pub struct Tree(pub(crate) Change);

impl Tree {
    /// Paths of files, links and submodules that match one of the gitignore-style globs (empty: all), sorted by their bytes; at most `limit`.
    pub fn find(&self, globs: &[&str], limit: u32) -> Vec<String> {
        self.0.repo(Side::After).find(globs, limit)
    }

    /// The first of these paths that the tree has as a file.
    pub fn first<'p>(&self, paths: &[&'p str]) -> Option<&'p str> {
        paths.iter().copied().find(|path| self.has(path))
    }

    pub fn has(&self, path: &str) -> bool {
        self.0.repo(Side::After).stat(path).is_ok_and(|blob| blob.is_some())
    }

    pub fn is_dir(&self, path: &str) -> bool {
        self.0.repo(Side::After).is_dir(path).unwrap_or(false)
    }

    pub fn text(&self, path: &str) -> Result<String, Unreadable> {
        self.0.repo(Side::After).text(path)
    }

    /// The file at a path; where a symbolic link stands, the file of the tree that it leads to. None for a link out of the tree, and where
    /// nothing stands.
    pub fn followed(&self, path: &str) -> Option<String> {
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            if self.0.repo(Side::After).stat(&path).ok()??.mode != Mode::Symlink {
                return Some(path);
            }
            path = joined(&path, self.text(&path).ok()?.trim_end())?;
        }
        None
    }

    /// As [`crate::Repo::search`].
    pub fn search(&self, needles: &[&str], globs: &[&str], limit: u32) -> Vec<Hit> {
        self.0.repo(Side::After).search(needles, globs, limit)
    }

    pub fn facts(&self) -> Facts<'_> {
        self.0.facts(Side::After)
    }

    /// Ask it about [`Side::After`].
    pub fn toolchain(&self) -> Toolchain<'_> {
        self.0.toolchain()
    }
}

/// Links that lead to one another.
const LINKS: usize = 5;

/// The target of a link, from the root of the tree.
fn joined(link: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    relative::join(relative::folder(link), target)
}

/// What `analyzer!` calls. Not for authors.
#[doc(hidden)]
pub fn describe<A: Analyzer>() -> Description {
    A::ABOUT.into()
}

/// What `analyzer!` calls. Not for authors.
#[doc(hidden)]
pub fn metrics<A: Analyzer>() -> Vec<measure::Metric> {
    A::METRICS.iter().map(|metric| measure::Metric { id: metric.id.to_owned(), weight: metric.weight }).collect()
}

/// What `analyzer!` calls. Not for authors.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
pub fn measure<A: Analyzer>(metric: &str, settings: &str) -> Result<measure::Measurement, String> {
    crate::log::panics();
    let tree = Tree(Change::from_tree(crate::Source));
    Ok(match A::measure(metric, &tree, crate::entry::settings_of(settings)?)? {
        Measurement::Measured(points) => {
            measure::Measurement::Measured(points.iter().map(import::Point::from).collect())
        }
        Measurement::NotMeasured(why) => measure::Measurement::NotMeasured(why),
    })
}

/// A test calls the analyzer itself.
#[cfg(feature = "testing")]
#[doc(hidden)]
pub fn measure<A: Analyzer>(_metric: &str, _settings: &str) -> Result<measure::Measurement, String> {
    Err(crate::NO_HOST.into())
}

impl From<&Point> for import::Point {
    fn from(plain: &Point) -> Self {
        let point = import::Point::new(plain.rule, plain.earned, plain.possible);
        if let Some(path) = &plain.path {
            point.set_path(path);
        }
        if let Some(line) = plain.line {
            point.set_line(line);
        }
        for (text, set) in [
            (&plain.message, import::Point::set_message as fn(&import::Point, &str)),
            (&plain.help, import::Point::set_help),
        ] {
            if !text.is_empty() {
                set(&point, text);
            }
        }
        point
    }
}

/// Makes a type that implements [`Analyzer`] the analyzer of this crate, which must be a `cdylib`. Once a crate.
#[macro_export]
macro_rules! analyzer {
    ($analyzer:ty) => {
        const _: () = {
            use $crate::analyzer_bindings::exports::guardhost::analysis::measure;
            use $crate::analyzer_bindings::exports::guardhost::guard::metadata;

            struct Component;

            impl metadata::Guest for Component {
                fn describe() -> metadata::Description {
                    $crate::analysis::describe::<$analyzer>()
                }
            }

            impl measure::Guest for Component {
                fn metrics() -> ::std::vec::Vec<measure::Metric> {
                    $crate::analysis::metrics::<$analyzer>()
                }

                fn measure(
                    metric: ::std::string::String,
                    settings: ::std::string::String,
                ) -> ::std::result::Result<measure::Measurement, ::std::string::String> {
                    $crate::analysis::measure::<$analyzer>(&metric, &settings)
                }
            }

            #[cfg(target_arch = "wasm32")]
    $crate::analyzer_bindings::export_analyzer!(Component with_types_in $crate::analyzer_bindings);
        };
    };
}

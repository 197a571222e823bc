//! Builds and tests. Whoever uses this imports `toolchain`.

pub use crate::bindings::guardhost::guard::toolchain::{BuildReport, Diagnostic, Test, TestOutcome, TestReport};
use crate::{Denied, Side, Source};

/// What the build and the tests say, run by the host in a sandbox. Each call runs them anew, and may take minutes; the base's answers
/// are kept between judgements.
#[derive(Clone, Copy)]
pub struct Toolchain<'c> {
    source: &'c Source,
}

impl<'c> Toolchain<'c> {
    pub(crate) fn new(source: &'c Source) -> Self {
        Toolchain { source }
    }

    /// The tests of that side, as that side has them.
    pub fn tests(&self, side: Side) -> Result<Vec<TestReport>, Denied> {
        self.source.run_tests(side)
    }

    /// The candidate's code under the base's tests; no report when the change touches no test file.
    pub fn base_tests(&self) -> Result<Vec<TestReport>, Denied> {
        self.source.run_base_tests()
    }

    /// One report for each language of the change that has a build.
    pub fn build(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        self.source.run_build(side)
    }
}

/// Reads as the end of a sentence: "the tests were not run: it did not end within 600 s".
impl Denied {
    /// The reason, in words.
    pub fn reason(&self) -> String {
        match self {
            Denied::NotGranted => "the pin does not grant it".into(),
            Denied::Unavailable(what) | Denied::Invalid(what) => what.clone(),
            Denied::TimedOut(millis) => format!("it did not end within {} s", millis.div_ceil(1000)),
        }
    }
}

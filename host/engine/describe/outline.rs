//! The part of a description that decides whether a guard is called, and that evidence shows. That of an embedded guard is static data:
//! a check reads those of the whole set, and calls few of them.

use std::borrow::Cow;

use crate::describe::{Description, Stage};

type StaticText = Cow<'static, str>;

/// As in [`Description`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribedOutline {
    pub version: StaticText,
    pub mark: StaticText,
    pub event: StaticText,
    pub stages: Cow<'static, [Stage]>,
    pub globs: Cow<'static, [StaticText]>,
}

impl DescribedOutline {
    /// Whether it asks for builds or tests, which take minutes; such a guard is called after the others passed.
    pub fn is_costly(&self) -> bool {
        self.stages.contains(&Stage::Command)
    }

    pub fn judges_changes(&self) -> bool {
        self.stages.iter().any(|stage| !matches!(stage, Stage::Plan | Stage::Analysis))
    }
}

impl From<&Description> for DescribedOutline {
    fn from(description: &Description) -> Self {
        let Description { version, mark, event, stages, globs, .. } = description;
        let text = |text: &String| Cow::Owned(text.clone());
        DescribedOutline {
            version: text(version),
            mark: text(mark),
            event: text(event),
            stages: stages.clone().into(),
            globs: globs.iter().map(text).collect(),
        }
    }
}

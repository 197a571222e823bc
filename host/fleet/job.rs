//! A change to judge, and its name: a digest of everything that decides the verdict.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::hex;

/// The version of the encoding that is hashed, and of the JSON that travels. A change of either makes other ids.
const VERSION: u32 = 1;

/// Bytes of a job as JSON: a task of a person fits many times.
pub const MOST_BYTES: usize = 256 << 10;

/// What a job needs of the machine that judges it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Guards that read: milliseconds, and no work tree.
    Fast,
    /// Guards that build and run tests: minutes, a sandbox and the project's toolchain.
    Heavy,
}

impl Class {
    pub const ALL: [Class; 2] = [Class::Fast, Class::Heavy];

    pub fn as_str(self) -> &'static str {
        match self {
            Class::Fast => "fast",
            Class::Heavy => "heavy",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a job waits: each lane has its own order, and workers take from the lanes that they have hands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    Fast,
    Heavy,
    /// Second judgements, of jobs that another worker judged.
    Audit,
}

impl Lane {
    pub const ALL: [Lane; 3] = [Lane::Fast, Lane::Heavy, Lane::Audit];

    pub fn as_str(self) -> &'static str {
        match self {
            Lane::Fast => "fast",
            Lane::Heavy => "heavy",
            Lane::Audit => "audit",
        }
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// 64 hex digits of SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JobId(String);

impl JobId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for JobId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match hex::is_hex(&text, 64) {
            true => Ok(JobId(text)),
            false => Err("the id of a job has 64 hex digits".to_owned()),
        }
    }
}

impl From<JobId> for String {
    fn from(id: JobId) -> String {
        id.0
    }
}

/// What the change is for, where somebody said so; guards may ask.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobTask {
    pub text: String,
    /// Paths that the task names.
    pub hints: Vec<String>,
}

/// The change, in git's terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// 32 hex digits: see `guardhost_observer::repository`.
    pub repository: String,
    /// The commit that the change is made for, whose rules judge it unless `rules` names another. 40 hex digits.
    pub base: String,
    /// Of the commits since two branches parted: the tip of the other branch. Who begins a branch chooses where, and would choose rules of
    /// that time with it. 40 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The tree that would be committed.
    pub tree: String,
    /// The last of the commits that make the change; None when they are not made yet.
    pub tip: Option<String>,
    /// `tip` is a merge that the submitter made to have it judged: nobody wrote it, and guards are not told of it as a commit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_made_merge: bool,
    /// The commit message, where there is no commit yet.
    pub message: Option<String>,
    pub task: Option<JobTask>,
    /// 64 hex digits of SHA-256 over the guards with their settings, the rules, and the version of the host: a worker that would judge by
    /// others gives the job back.
    pub policy: String,
}

impl Change {
    /// The commit whose rules judge it.
    pub fn rules(&self) -> &str {
        self.rules.as_ref().unwrap_or(&self.base)
    }
}

/// Where a worker finds the objects of a change. No part of the id: however they come, git's names are checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectSource {
    /// SHA-256 of a pack in the object store of the queue.
    pub pack: Option<String>,
    /// The address of the repository; a worker fetches only from those that it was allowed.
    pub remote: Option<String>,
}

/// A job as it travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    version: u32,
    pub class: Class,
    pub change: Change,
    pub transport: ObjectSource,
    /// Judged once more, by another worker than the first, and without kept verdicts. No part of the id.
    audit: bool,
}

/// Why bytes are no job.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAJob {
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    #[error("it has version {0}, and this program knows {VERSION}: bring both machines to one version")]
    Version(u32),
    #[error("its `{0}` is not what git or this program writes")]
    Field(&'static str),
    #[error("it has more than {MOST_BYTES} bytes")]
    TooLarge,
}

impl Job {
    /// # Errors
    /// A field is not what it must be.
    pub fn new(class: Class, change: Change, transport: ObjectSource) -> Result<Self, NotAJob> {
        let job = Job { version: VERSION, class, change, transport, audit: false };
        job.check()?;
        if job.to_json().len() > MOST_BYTES {
            return Err(NotAJob::TooLarge);
        }
        Ok(job)
    }

    /// # Errors
    /// Whatever these bytes are.
    pub fn from_json(bytes: &[u8]) -> Result<Self, NotAJob> {
        if bytes.len() > MOST_BYTES {
            return Err(NotAJob::TooLarge);
        }
        let unreadable = |error: serde_json::Error| NotAJob::Unreadable(error.to_string());
        // Another version may have other fields.
        #[derive(Deserialize)]
        struct VersionedJob {
            version: u32,
        }
        let VersionedJob { version } = serde_json::from_slice(bytes).map_err(unreadable)?;
        if version != VERSION {
            return Err(NotAJob::Version(version));
        }
        let job: Job = serde_json::from_slice(bytes).map_err(unreadable)?;
        job.check()?;
        Ok(job)
    }

    /// Cannot fail: it has text and numbers only.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// SHA-256 over a line for each field, of its name, its length and its bytes: no two jobs have one encoding.
    pub fn id(&self) -> JobId {
        let Change { repository, base, rules, tree, tip, is_made_merge, message, task, policy } = &self.change;
        let mut text = format!("guardhost job {VERSION}\n").into_bytes();
        let mut field = |name: &str, value: Option<&str>| {
            match value {
                Some(value) => text.extend(format!("{name} {}:{value}\n", value.len()).into_bytes()),
                None => text.extend(format!("{name} none\n").into_bytes()),
            };
        };
        field("repository", Some(repository));
        field("base", Some(base));
        if rules.is_some() {
            field("rules", rules.as_deref());
        }
        field("tree", Some(tree));
        field("tip", tip.as_deref());
        if *is_made_merge {
            field("merge", Some("made"));
        }
        field("message", message.as_deref());
        field("task", task.as_ref().map(|task| task.text.as_str()));
        for hint in task.iter().flat_map(|task| &task.hints) {
            field("hint", Some(hint));
        }
        field("policy", Some(policy));
        field("class", Some(self.class.as_str()));
        JobId(hex::sha256(&text))
    }

    /// The second judgement of this job.
    pub fn audit(&self) -> Job {
        Job { audit: true, ..self.clone() }
    }

    pub fn lane(&self) -> Lane {
        match (self.audit, self.class) {
            (true, _) => Lane::Audit,
            (false, Class::Fast) => Lane::Fast,
            (false, Class::Heavy) => Lane::Heavy,
        }
    }

    fn check(&self) -> Result<(), NotAJob> {
        let Change { repository, base, rules, tree, tip, is_made_merge, message: _, task: _, policy } = &self.change;
        let ObjectSource { pack, remote } = &self.transport;
        let is_remote = |remote: &String| !remote.starts_with('-') && !remote.chars().any(char::is_control);
        for (name, is_right) in [
            ("repository", hex::is_hex(repository, 32)),
            ("base", hex::is_hex(base, 40)),
            ("rules", rules.as_ref().is_none_or(|rules| hex::is_hex(rules, 40) && tip.is_some())),
            ("tree", hex::is_hex(tree, 40)),
            ("tip", tip.as_ref().is_none_or(|tip| hex::is_hex(tip, 40))),
            ("is_made_merge", tip.is_some() || !is_made_merge),
            ("policy", hex::is_hex(policy, 64)),
            ("pack", pack.as_ref().is_none_or(|pack| hex::is_hex(pack, 64))),
            ("remote", remote.as_ref().is_none_or(is_remote)),
        ] {
            if !is_right {
                return Err(NotAJob::Field(name));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub fn job(base: &str) -> Job {
        let change = Change {
            repository: "0".repeat(32),
            base: base.repeat(40),
            rules: None,
            tree: "b".repeat(40),
            tip: None,
            is_made_merge: false,
            message: None,
            task: None,
            policy: "c".repeat(64),
        };
        Job::new(Class::Fast, change, ObjectSource::default()).unwrap()
    }

    /// Written down, so that an encoding that changes by accident is seen.
    #[test]
    fn the_id_is_that_of_version_1() {
        assert_eq!(job("a").id().as_str(), "40fafaa1dc71533a48cab12c025a73a6f04ffe84617761558eaeeea0f72b6376");
    }

    #[test]
    fn every_field_that_decides_the_verdict_decides_the_id() {
        let base = job("a");
        let changed = |change: &dyn Fn(&mut Job)| {
            let mut other = base.clone();
            change(&mut other);
            other
        };
        let text = || "x".to_owned();
        let task = |text: &str, hints: &[&str]| {
            Some(JobTask { text: text.into(), hints: hints.iter().map(|hint| (*hint).to_owned()).collect() })
        };
        let others = [
            changed(&|job| job.change.repository = "1".repeat(32)),
            changed(&|job| job.change.base = "1".repeat(40)),
            changed(&|job| {
                job.change.tip = Some("1".repeat(40));
                job.change.rules = Some("1".repeat(40));
            }),
            changed(&|job| job.change.tree = "1".repeat(40)),
            changed(&|job| job.change.tip = Some("1".repeat(40))),
            changed(&|job| {
                job.change.tip = Some("1".repeat(40));
                job.change.is_made_merge = true;
            }),
            changed(&|job| job.change.policy = "1".repeat(64)),
            changed(&|job| job.class = Class::Heavy),
            changed(&|job| job.change.message = Some(text())),
            changed(&|job| job.change.message = Some("none".into())),
            changed(&|job| job.change.task = task("x", &[])),
            changed(&|job| job.change.task = task("", &["x"])),
            changed(&|job| job.change.task = task("", &["x", ""])),
            changed(&|job| job.change.task = task("\nhint 1:x", &[])),
        ];
        let ids: std::collections::BTreeSet<JobId> = others.iter().chain([&base]).map(Job::id).collect();
        assert_eq!(ids.len(), others.len() + 1);
        let same = changed(&|job| {
            job.transport = ObjectSource { pack: Some("d".repeat(64)), remote: Some(text()) };
            job.audit = true;
        });
        assert_eq!(same.id(), base.id(), "how the objects travel decides nothing");
    }

    #[test]
    fn what_is_no_job_is_refused() {
        assert_eq!(Job::from_json(&job("a").to_json()), Ok(job("a")));
        let text = String::from_utf8(job("a").to_json()).unwrap();
        assert_eq!(Job::from_json(text.replace("\"version\":1", "\"version\":2").as_bytes()), Err(NotAJob::Version(2)));
        assert_eq!(Job::from_json(text.replace("aaaa", "AAAA").as_bytes()), Err(NotAJob::Field("base")));
        for wrong in ["", "{}", "[]", "{\"version\":1}", &text.replace("\"audit\"", "\"other\""), &text[1..]] {
            assert!(matches!(Job::from_json(wrong.as_bytes()), Err(NotAJob::Unreadable(_))), "{wrong}");
        }
        let option = ObjectSource { remote: Some("--upload-pack=x".into()), pack: None };
        assert_eq!(Job::new(Class::Fast, job("a").change, option), Err(NotAJob::Field("remote")));
        let no_tip = Change { is_made_merge: true, ..job("a").change };
        assert_eq!(Job::new(Class::Fast, no_tip, ObjectSource::default()), Err(NotAJob::Field("is_made_merge")));
        let long = Change { message: Some("x".repeat(MOST_BYTES)), ..job("a").change };
        assert_eq!(Job::new(Class::Fast, long, ObjectSource::default()), Err(NotAJob::TooLarge));
    }

    proptest! {
        #[test]
        fn hostile_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = Job::from_json(&bytes);
        }

        #[test]
        fn texts_come_back_as_they_were(message in any::<Option<String>>(), text in any::<String>(), hint in any::<String>()) {
            let change = Change { message, task: Some(JobTask { text, hints: vec![hint] }), ..job("a").change };
            let job = Job::new(Class::Heavy, change, ObjectSource::default()).unwrap();
            let read = Job::from_json(&job.to_json()).unwrap();
            prop_assert_eq!(read.id(), job.id());
            prop_assert_eq!(read, job);
        }
    }
}

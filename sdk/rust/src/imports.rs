//! The guest's source of a change: the host's imports, one call each. What a guard never calls, the linker drops and
//! the component does not import.

use crate::bindings::guardhost::guard::{change, facts, net, repo, toolchain};
use crate::{BuildReport, Denied, Entry, Hit, Hunk, Language, Liveness, Manifest, Side, Task, TestReport, Unreadable};

pub(crate) struct Source;

impl Source {
    pub fn files(&self) -> Vec<change::File> {
        change::files()
    }

    pub fn read(&self, index: u32, side: Side) -> Result<Vec<u8>, Unreadable> {
        change::read(index, side)
    }

    pub fn text(&self, index: u32, side: Side) -> Result<String, Unreadable> {
        change::text(index, side)
    }

    pub fn hunks(&self, index: u32) -> Vec<Hunk> {
        change::hunks(index)
    }

    pub fn task(&self) -> Option<Task> {
        change::get_task()
    }

    pub fn stat(&self, side: Side, path: &str) -> Option<Entry> {
        repo::stat(side, path)
    }

    pub fn is_dir(&self, side: Side, path: &str) -> bool {
        repo::is_dir(side, path)
    }

    pub fn repo_read(&self, side: Side, path: &str) -> Result<Vec<u8>, Unreadable> {
        repo::read(side, path)
    }

    pub fn repo_text(&self, side: Side, path: &str) -> Result<String, Unreadable> {
        repo::text(side, path)
    }

    pub fn find(&self, side: Side, globs: &[String], limit: u32) -> Vec<Entry> {
        repo::find(side, globs, limit)
    }

    pub fn search(&self, side: Side, needles: &[String], globs: &[String], limit: u32) -> Vec<Hit> {
        repo::search(side, needles, globs, limit)
    }

    pub fn manifests(&self, side: Side) -> Vec<Manifest> {
        facts::manifests(side)
    }

    pub fn languages(&self, side: Side) -> Vec<Language> {
        facts::languages(side)
    }

    pub fn frameworks(&self, side: Side) -> Vec<String> {
        facts::frameworks(side)
    }

    pub fn entry_points(&self, side: Side) -> Vec<String> {
        facts::entry_points(side)
    }

    pub fn probe(&self, urls: &[String]) -> Result<Vec<Liveness>, Denied> {
        net::probe(urls)
    }

    pub fn run_tests(&self, side: Side) -> Result<Vec<TestReport>, Denied> {
        toolchain::run_tests(side)
    }

    pub fn run_base_tests(&self) -> Result<Vec<TestReport>, Denied> {
        toolchain::run_base_tests()
    }

    pub fn run_build(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        toolchain::run_build(side)
    }
}

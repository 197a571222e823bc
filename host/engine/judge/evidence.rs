//! One guard's evidence on one change.

use std::sync::Arc;
use std::time::Instant;

use crate::call::store_data::StoreData;
use crate::call::{self, CallOutcome};
use crate::describe::outline::DescribedOutline;
use crate::failure::GuardFailure;
use crate::judge::change_view::ChangeView;
use crate::limits::HostWork;
use crate::reuse::Reuse;
use crate::set::{Guard, GuardSet};
use guard_files::Globs;
use guardhost_core::change::{Evidence, EvidenceSource, GuardVerdict, Inapplicable, RepoPath, Verdict};

/// When a guard is called. Builds and tests cost minutes, so guards that ask for them are called after the others, and only if those
/// let the change pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CallPhase {
    Content,
    Command,
}

/// A guard's evidence, and what is reported beside it.
pub struct JudgedGuard {
    pub evidence: Evidence,
    /// Peak of linear memory during the call, in bytes; 0 without a call.
    pub memory: u64,
    pub host_work: HostWork,
    /// A warning from loading the guard, for the user.
    pub notice: Option<String>,
}

/// One change before the guards of one set. Every method gives one guard's evidence; what can be decided without loading the guard is
/// decided without loading it.
pub struct Judging<'a> {
    pub set: &'a GuardSet,
    pub change: Arc<ChangeView>,
    pub reuse: Reuse<'a>,
}

/// A call to make.
struct SelectedGuard {
    /// The touched files that the guard sees, as indices into the candidate's.
    files: Vec<u32>,
    phase: CallPhase,
}

impl Judging<'_> {
    /// The verdict of an earlier run, or that of a guard which is not called in any case. None when it has to be called, and where no
    /// guard was called for such a change before.
    pub fn without_new_call(&self, guard: &Guard) -> Option<JudgedGuard> {
        let begun = Instant::now();
        if self.reuse.is_empty(&self.change) {
            return None;
        }
        match self.select(guard) {
            Ok(SelectedGuard { phase: CallPhase::Content, .. }) => {}
            // What a costly guard says waits for the others.
            Ok(SelectedGuard { phase: CallPhase::Command, .. }) => return None,
            Err(verdict) => return Some(without_call(guard, verdict, begun)),
        }
        let judged = judged(guard, self.reuse.get(guard, &self.change)?, begun);
        // A guard that was loaded to be selected may have been compiled: another host kept its verdict meanwhile.
        let cached = guard.loaded().is_none() || judged.evidence.cached;
        Some(JudgedGuard { evidence: Evidence { reused: true, cached, ..judged.evidence }, ..judged })
    }

    /// None for a guard of the command phase whose call has yet to be decided.
    pub fn content_phase(&self, guard: &Guard) -> Option<JudgedGuard> {
        let begun = Instant::now();
        match self.select(guard) {
            Ok(SelectedGuard { phase: CallPhase::Command, .. }) => None,
            Ok(SelectedGuard { phase: CallPhase::Content, files }) => Some(self.call(guard, files, begun)),
            Err(verdict) => Some(without_call(guard, verdict, begun)),
        }
    }

    /// For guards that the content phase left open. `content` is the verdict of that phase.
    pub fn command_phase(&self, guard: &Guard, content: Verdict) -> JudgedGuard {
        let begun = Instant::now();
        match (self.select(guard), content) {
            (Err(verdict), _) => without_call(guard, verdict, begun),
            (Ok(SelectedGuard { files, .. }), Verdict::Pass) => self.call(guard, files, begun),
            (Ok(_), Verdict::Reject) => without_call(guard, not_called("a cheaper guard rejects the change"), begun),
            (Ok(_), Verdict::Error) => without_call(guard, not_called("a cheaper guard failed"), begun),
        }
    }

    /// A guard by itself, whatever its phase.
    pub fn alone(&self, guard: &Guard) -> JudgedGuard {
        self.command_phase(guard, Verdict::Pass)
    }

    /// For every guard of a set in which one is not the version that was locked: no guard is called.
    pub fn locked_out(&self, guard: &Guard) -> JudgedGuard {
        let begun = Instant::now();
        let verdict = match self.seen(guard) {
            Ok(_) => not_called("another guard of the set is not what was locked"),
            Err(verdict) => verdict,
        };
        without_call(guard, verdict, begun)
    }

    /// Whether a pinned guard that sees a touched file describes itself as another version than was locked. Loads it: only the guard
    /// itself can tell.
    pub fn version_mismatch(&self, guard: &Guard) -> bool {
        let concerned = || touched(&self.change, |path| guard.sees(path)).next().is_some();
        concerned() && guard.version_mismatch(self.set)
    }

    /// The touched files that the guard sees, and its outline. Err: its verdict, without a call.
    fn seen<'g>(&'g self, guard: &'g Guard) -> Result<(Vec<u32>, &'g DescribedOutline), GuardVerdict> {
        let files: Vec<u32> = touched(&self.change, |path| guard.sees(path)).collect();
        if files.is_empty() {
            return Err(no_file("no touched file is under its paths"));
        }
        let outline = guard.outline(self.set).map_err(|failure| failure.verdict())?;
        Ok((files, outline))
    }

    /// Err: the guard's verdict, without a call.
    fn select(&self, guard: &Guard) -> Result<SelectedGuard, GuardVerdict> {
        let (files, outline) = self.seen(guard)?;
        let globs = Globs::new(&outline.globs).map_err(|what| GuardFailure::new("bad-description", what).verdict())?;
        let matched = || touched(&self.change, |path| guard.sees(path) && globs.matches(path)).next().is_some();
        if !globs.is_empty() && !matched() {
            return Err(no_file(format!("no touched file matches {}", first_few(&outline.globs))));
        }
        if !outline.judges_changes() {
            let why = "it judges plans, not changes".to_owned();
            return Err(GuardVerdict::NotApplicable(Inapplicable::OtherStage(why)));
        }
        let phase = if outline.is_costly() { CallPhase::Command } else { CallPhase::Content };
        Ok(SelectedGuard { files, phase })
    }

    fn call(&self, guard: &Guard, files: Vec<u32>, begun: Instant) -> JudgedGuard {
        let loaded = match guard.load(self.set) {
            Ok(loaded) => loaded,
            Err(failure) => return without_call(guard, failure.verdict(), begun),
        };
        let limits = &guard.spec.limits.for_bytes(self.bytes_of(&files));
        let call = StoreData::without_change(self.set.machine.services.clone(), limits, self.set.stop());
        let call = call.for_change(self.change.clone(), files, guard.grants.repo().clone()).for_guard(&guard.spec.id);
        let ran = call::check(&loaded.pre, &self.change, &loaded.description, call, limits, &guard.settings);
        self.reuse.put(guard, &self.change, &ran);
        judged(guard, ran, begun)
    }

    /// Bytes of these touched files, both sides together.
    fn bytes_of(&self, files: &[u32]) -> u64 {
        let touched = files.iter().map(|file| &self.change.candidate.files[*file as usize]);
        touched.flat_map(|file| [file.before, file.after]).flatten().map(|blob| blob.size).sum()
    }
}

fn no_file(why: impl Into<String>) -> GuardVerdict {
    GuardVerdict::NotApplicable(Inapplicable::NoFile(why.into()))
}

fn not_called(why: &str) -> GuardVerdict {
    GuardVerdict::NotApplicable(Inapplicable::NotCalled(format!("not run: {why}")))
}

fn without_call(guard: &Guard, verdict: GuardVerdict, begun: Instant) -> JudgedGuard {
    judged(guard, CallOutcome::without_call(verdict), begun)
}

fn judged(guard: &Guard, ran: CallOutcome, begun: Instant) -> JudgedGuard {
    let loaded = guard.loaded();
    let first = guard.take_first_load();
    let known = guard.known();
    let evidence = Evidence {
        id: guard.spec.id.clone(),
        mark: known.map_or(String::new(), |known| known.mark.to_string()),
        version: known.map_or(String::new(), |known| known.version.to_string()),
        digest: guard.known_digest(),
        mode: guard.spec.mode,
        source: EvidenceSource::Guard,
        verdict: ran.verdict,
        event: known.map_or(String::new(), |known| known.event.to_string()),
        micros: u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
        fuel: ran.fuel,
        reused: false,
        cached: loaded.map_or_else(|| guard.is_kept(), |loaded| loaded.cached || !first),
        metrics: ran.metrics,
        log: ran.log,
        allowed: Vec::new(),
        basis: ran.basis,
    };
    let notice = loaded.filter(|_| first).and_then(|loaded| loaded.notice.clone());
    JudgedGuard { evidence, memory: ran.memory, host_work: ran.host_work, notice }
}

/// Indices of the touched files of which one path, the new or the old, is wanted.
fn touched(change: &ChangeView, wanted: impl Fn(&RepoPath) -> bool) -> impl Iterator<Item = u32> {
    let files = (0..).zip(&change.candidate.files);
    files
        .filter(move |(_, file)| wanted(&file.path) || file.old_path.as_ref().is_some_and(&wanted))
        .map(|(index, _)| index)
}

fn first_few(globs: &[impl AsRef<str>]) -> String {
    let shown: Vec<_> = globs.iter().take(5).map(|glob| crate::text::escape::escape_line(glob.as_ref(), 80)).collect();
    let more = if globs.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

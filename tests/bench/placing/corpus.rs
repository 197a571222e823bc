//! Real changes: the text files that one commit of a clone modifies.

use std::process::Command;

use super::edit::Edit;
use super::random::Random;

/// A commit's modified text files; the first one is what kinds about one file take.
pub struct Source {
    pub commit: String,
    pub edits: Vec<Edit>,
}

impl Source {
    /// The change of one file, where it is plain ([`Edit::is_plain`]).
    pub fn plain(&self) -> Option<&Edit> {
        self.edits.first().filter(|edit| edit.is_plain())
    }

    /// Two to four files, all plain.
    pub fn several(&self) -> Option<&[Edit]> {
        let edits = &self.edits[..self.edits.len().min(4)];
        (edits.len() > 1 && edits.iter().all(Edit::is_plain)).then_some(edits)
    }
}

const LARGEST: usize = 200_000;

/// `count` commits of the clone's history, without merges; only text files in UTF-8 that the commit modifies. Half of the commits
/// change several of them, where there are enough.
pub fn sources(clone: &str, count: usize, random: &mut Random) -> Vec<Source> {
    let log = git(clone, &["log", "--no-merges", "--min-parents=1", "--format=%H", "-n", "4000"]);
    let mut commits: Vec<String> = String::from_utf8_lossy(&log).lines().map(str::to_owned).collect();
    let mut sources = Vec::new();
    while sources.len() < count && !commits.is_empty() {
        let commit = commits.swap_remove(random.below(commits.len()));
        let names =
            git(clone, &["diff", "--name-only", "--diff-filter=M", "--no-renames", &format!("{commit}^"), &commit]);
        let names: Vec<String> = String::from_utf8_lossy(&names).lines().map(str::to_owned).collect();
        if names.is_empty() || names.len() > 40 || (names.len() < 2 && sources.len() % 2 == 1) {
            continue;
        }
        let first = random.below(names.len());
        let ordered = names[first..].iter().chain(&names[..first]);
        let edits: Vec<Edit> = ordered.filter_map(|path| edit(clone, &commit, path)).take(6).collect();
        if !edits.is_empty() {
            sources.push(Source { commit, edits });
        }
    }
    sources
}

fn edit(clone: &str, commit: &str, path: &str) -> Option<Edit> {
    let side = |revision: &str| {
        let bytes = git(clone, &["show", &format!("{revision}:{path}")]);
        (bytes.len() <= LARGEST && !bytes.contains(&0)).then(|| String::from_utf8(bytes).ok()).flatten()
    };
    let edit = Edit::new(path, side(&format!("{commit}^"))?, side(commit)?);
    let fits = edit.before != edit.after && !path.starts_with('"') && edit.hunks(3).len() <= 12;
    fits.then_some(edit)
}

fn git(clone: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git").arg("-C").arg(clone).args(arguments).output().expect("git runs");
    output.stdout
}

/// The newest commit, abbreviated.
pub fn head(clone: &str) -> String {
    String::from_utf8_lossy(&git(clone, &["rev-parse", "--short=10", "HEAD"])).trim().to_owned()
}

//! Real changes: one text file of one commit each.

use std::process::Command;

use super::random::Random;

pub struct Case {
    pub commit: String,
    pub path: String,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
    /// Git's own diff of the file.
    pub diff: Vec<u8>,
}

impl Case {
    /// Whether the old lines of a hunk stand in the file more than once, outer blanks aside, the number being no help.
    pub fn has_twins(&self) -> bool {
        let trimmed = |bytes: &[u8]| -> Vec<Vec<u8>> {
            bytes.split(|byte| *byte == b'\n').map(|line| line.trim_ascii().to_vec()).collect()
        };
        let file = trimmed(&self.before);
        super::extracted(&self.diff).is_ok_and(|patch| {
            patch.files.iter().any(|section| {
                let guardhost_core::change::FileOp::Modify(hunks) = &section.op else { return false };
                hunks.iter().any(|hunk| {
                    let old: Vec<&[u8]> =
                        hunk.lines.iter().filter(|line| line.is_old()).map(|line| line.bytes().trim_ascii()).collect();
                    // One line may be misquoted by the damage: then a twin that differs in one is a twin.
                    let stands = |window: &&[Vec<u8>]| window.iter().zip(&old).filter(|(a, b)| a != b).count() <= 1;
                    file.windows(old.len().max(1)).filter(stands).count() > 1
                })
            })
        })
    }
}

/// `count` cases of the clone's history, without merges; only files that the commit modifies, text, under 400 KB.
pub fn cases(clone: &str, count: usize, random: &mut Random) -> Vec<Case> {
    let log = git(clone, &["log", "--no-merges", "--min-parents=1", "--format=%H", "-n", "4000"]);
    let mut commits: Vec<String> = String::from_utf8_lossy(&log).lines().map(str::to_owned).collect();
    let mut cases = Vec::new();
    while cases.len() < count && !commits.is_empty() {
        let commit = commits.swap_remove(random.below(commits.len()));
        let names = git(clone, &["diff", "--name-only", "--diff-filter=M", &format!("{commit}^"), &commit]);
        let names: Vec<String> = String::from_utf8_lossy(&names).lines().map(str::to_owned).collect();
        if names.is_empty() {
            continue;
        }
        let path = names[random.below(names.len())].clone();
        let before = git(clone, &["show", &format!("{commit}^:{path}")]);
        let after = git(clone, &["show", &format!("{commit}:{path}")]);
        let diff = git(clone, &["diff", "--no-ext-diff", "--no-color", &format!("{commit}^"), &commit, "--", &path]);
        let binary = [&before, &after].iter().any(|bytes| bytes.contains(&0) || bytes.len() > 400_000);
        if !binary && before != after && diff.windows(3).any(|window| window == b"\n@@") {
            cases.push(Case { commit, path, before, after, diff });
        }
    }
    cases
}

fn git(clone: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git").arg("-C").arg(clone).args(arguments).output().expect("git runs");
    output.stdout
}

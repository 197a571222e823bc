//! What one patch costs in a large repository, from a cold open, beside `git apply --cached`.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::stored::Stored;
use guardhost_core::change::{Reply, Tree};
use guardhost_core::stop::StopToken;
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::propose;
use guardhost_patch::sanitize::Rules;

const FOLDER: usize = 200;
const RUNS: usize = 15;

/// Makes a repository of `files` files in a scratch directory and prints two medians.
pub fn measure(files: usize) -> Result<(), Box<dyn std::error::Error>> {
    let scratch = tempfile::tempdir()?;
    let root = scratch.path();
    for folder in 0..files.div_ceil(FOLDER) {
        fs::create_dir_all(root.join(format!("part{folder}/src")))?;
        for file in 0..FOLDER.min(files - folder * FOLDER) {
            fs::write(root.join(format!("part{folder}/src/file{file}.txt")), text(folder * FOLDER + file))?;
        }
    }
    git(root, &["init", "-q"])?;
    git(root, &["add", "."])?;
    git(root, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "base"])?;
    git(root, &["gc", "-q"])?;
    let path = format!("part{}/src/file7.txt", files / FOLDER / 2);
    fs::write(root.join(&path), fs::read_to_string(root.join(&path))?.replace("line 40 ", "LINE 40 "))?;
    let diff = git(root, &["diff"])?;
    git(root, &["checkout", "-q", "."])?;
    fs::write(root.join("patch"), &diff)?;

    let ours = median(|| {
        let objects = Stored::over(root)?;
        let oid = git2::Repository::open(root)?.head()?.peel_to_tree()?.id();
        let base = ApplyBase { base: None, tree: Tree { objects, oid }, seen_by_provider: None };
        let reply = Reply { bytes: diff.clone(), ..Reply::default() };
        let placed = propose(&reply, &[], &base, &Rules::default(), &mut (), &StopToken::default())
            .map_err(|stop| format!("{stop:?}"))?;
        assert_eq!(placed.files.len(), 1);
        Ok(())
    })?;
    let git_apply = median(|| {
        git(root, &["apply", "--cached", "patch"])?;
        git(root, &["apply", "--cached", "-R", "patch"])?;
        Ok(())
    })? / 2;
    println!("{files} files, one patch: host {ours:?}, git apply --cached {git_apply:?} (medians of {RUNS})");
    Ok(())
}

fn text(seed: usize) -> String {
    (0..80).map(|line| format!("line {line} of file {seed}\n")).collect()
}

fn median(
    mut run: impl FnMut() -> Result<(), Box<dyn std::error::Error>>,
) -> Result<Duration, Box<dyn std::error::Error>> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let started = Instant::now();
        run()?;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    Ok(times[RUNS / 2])
}

fn git(root: &Path, arguments: &[&str]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output()?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into()) }
}

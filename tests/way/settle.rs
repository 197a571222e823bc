//! Commit or feedback.
#[test]
fn scratch() {
    let Some(dir) = std::env::var_os("BIG") else { return };
    for _ in 0..6 {
        let t = std::time::Instant::now();
        let repo = host::git::Repo::open(std::path::Path::new(&dir)).unwrap();
        let open = t.elapsed();
        let h = repo.head().unwrap();
        let head = t.elapsed();
        let c = host::git::staged(&repo).unwrap();
        eprintln!(
            "open {open:?} head {:?} staged {:?} files {} {}",
            head - open,
            t.elapsed() - head,
            c.files.len(),
            h.tree
        );
    }
}

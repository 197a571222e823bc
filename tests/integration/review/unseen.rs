//! What a change keeps from the models that vote on it.

use serde_json::Value;

use super::{Place, vote};
use crate::support::repo::TestRepo;

/// A change may hide a file from whoever reads it as text: none of its votes is an approval.
#[test]
fn votes_on_what_was_not_shown_approve_nothing() {
    let votes: [(&str, &[Value]); 2] = [("one", &[vote(95, 2)]), ("two", &[vote(95, 2)])];
    type Hide = fn(&TestRepo);
    let hidings: [(&str, &str, Hide); 4] = [
        ("a letter of another encoding", "z.py", |repo| repo.write("z.py", b"x = 1  # caf\xe9\n")),
        ("a zero byte", "z.bin", |repo| repo.write("z.bin", b"x = 1\n# \0\n")),
        ("a file that fills the question", "z.txt", |repo| {
            repo.write("notes.txt", "A note.\n".repeat(10_000));
            repo.write("z.txt", "Another.\n".repeat(8_000));
        }),
        ("an attribute", "z.py", |repo| {
            repo.write(".gitattributes", "z.py -diff\n");
            repo.write("z.py", "x = 1\n");
        }),
    ];
    for (what, path, hide) in hidings {
        let place = Place::new();
        hide(&place.repo);
        place.repo.git(&["add", "-A"]);
        let reviewed = place.votes(&votes).expect(1).json();
        assert_eq!(reviewed["approval"], "refused", "{what}: {reviewed:#}");
        let why = reviewed["why"].as_str().unwrap_or_default();
        assert!(why.contains(&format!("no voter was shown {path}")), "{what}: {why}");
    }
}

//! Replies that are made to be expensive: a few pieces of every format, some of them repeated until the reply is large.

use std::path::Path;
use std::sync::LazyLock;

use guardhost_core::change::RepoPath;

use crate::support::random::Random;

/// Bytes of a reply.
const SIZE: usize = 100 << 10;

const PIECES: [&[u8]; 46] = [
    b"\n",
    b" ",
    b"x\n",
    b"> ",
    b"```\n",
    b"````",
    b"```diff\n",
    b"`a.txt`\n",
    b"--- a/a.txt\n+++ b/a.txt\n",
    b"@@ -1 +1 @@\n",
    b"@@\n",
    b"@@ -1,9 +1,9 @@ fn f()\n",
    b"-}\n",
    b"+x\n",
    b" }\n",
    b"diff --git a/a.txt b/a.txt\n",
    b"index 0123456..789abcd 100644\n",
    b"*** Begin Patch\n",
    b"*** Update File: a.txt\n",
    b"*** End Patch\n",
    b"<<<<<<< SEARCH\n",
    b"=======\n",
    b">>>>>>> REPLACE\n",
    b"<think>\n",
    b"</think>\n",
    b"{\"path\": \"a.txt\", ",
    b"\"content\": \"",
    b"\"}\n",
    b"}",
    b"]",
    b"{",
    b"[",
    b"\"",
    b"\\n",
    b"\\\"",
    b"&lt;",
    b"\x1b[31m",
    b"\x1b]",
    b"\xe2\x80\x8b",
    b"   1 ",
    b"<file path=\"a.txt\">\n",
    b"</file>\n",
    b"cat > a.txt <<'EOF'\n",
    b"EOF\n",
    b"<<<AI_DIFF_START>>>\n",
    b"... rest of the file ...\n",
];

/// The replies of the cases, which hold each format as models write it.
static CASES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/replies");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let text = |path: &Path| std::fs::read(path).or_else(|_| std::fs::read(path.join("reply"))).ok();
    files.iter().filter_map(|path| text(path)).collect()
});

pub fn reply(random: &mut Random) -> Vec<u8> {
    let mut reply = Vec::new();
    while reply.len() < SIZE {
        let piece = match random.below(4) {
            0 => part_of_a_case(random),
            _ => (0..1 + random.below(4)).flat_map(|_| PIECES[random.below(PIECES.len())]).copied().collect(),
        };
        // Mostly once, sometimes until the reply is full.
        let times = [1, 1, 3, 50, 2_000, SIZE][random.below(6)];
        let room = (SIZE - reply.len()).div_ceil(piece.len().max(1));
        reply.extend(piece.repeat(times.min(room)));
        if piece.is_empty() {
            reply.push(b'\n');
        }
    }
    reply
}

fn part_of_a_case(random: &mut Random) -> Vec<u8> {
    let case = &CASES[random.below(CASES.len())];
    let begin = random.below(case.len());
    case[begin..begin + random.below(case.len() - begin + 1)].to_vec()
}

pub fn hints(random: &mut Random) -> Vec<RepoPath> {
    ["a.txt", "src/a.rs"].into_iter().take(random.below(3)).map(RepoPath::from).collect()
}

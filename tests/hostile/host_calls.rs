//! Random sequences of host calls: what the host does for a guard costs no more than the guard is charged for.
//!
//! One guest, compiled once, interprets the task's text as a program of host calls. `GUARD_FUZZ_ROUNDS=…` makes more programs than the
//! suite, `GUARD_FUZZ_SEED=…` one of them again. Its figure `x.py` is made of all answers.

use std::fmt::Write;

use guardhost_core::change::{GuardVerdict, Task};
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{EngineContext, GuardInput, HostServices, SingleGuard};
use guardhost_git::range;
use serde_json::Value;

use crate::support::allocations::peak;
use crate::support::guest::{Guest, escape};
use crate::support::judging::machine;
use crate::support::random::Random;
use crate::support::repo::TestRepo;

/// Processor time that a charge may stand for, in nanoseconds, on the slowest machine and without optimisation: ten times and more of what
/// it is. A host call that is not charged for its work takes a hundred times as much.
const FIXED: u64 = 1_000_000_000;
const PER_CALL: u64 = 300_000;
const PER_BYTE: u64 = 500;
const PER_FUEL: u64 = 50;

/// Bytes of the heap that a call may hold beside the guest's memory: the largest file twice, decoded, and the objects that git keeps.
const HEAP: usize = 160 << 20;

const IMPORTS: &str = r#"
    (import "guardhost:guard/change@0.1.0" "get-task" (func $get-task (param i32)))
    (import "guardhost:guard/change@0.1.0" "[method]task.text" (func $task-text (param i32 i32)))
    (import "guardhost:guard/change@0.1.0" "files" (func $files (param i32)))
    (import "guardhost:guard/change@0.1.0" "commits" (func $commits (param i32)))
    (import "guardhost:guard/change@0.1.0" "[method]file.path" (func $path (param i32 i32)))
    (import "guardhost:guard/change@0.1.0" "[method]file.blob" (func $blob (param i32 i32 i32)))
    (import "guardhost:guard/change@0.1.0" "[method]file.read" (func $read (param i32 i32 i32)))
    (import "guardhost:guard/change@0.1.0" "[method]file.text" (func $text (param i32 i32 i32)))
    (import "guardhost:guard/change@0.1.0" "[method]file.hunks" (func $hunks (param i32 i32)))
    (import "guardhost:repo/tree@0.1.0" "stat" (func $stat (param i32 i32 i32 i32)))
    (import "guardhost:repo/tree@0.1.0" "is-dir" (func $is-dir (param i32 i32 i32 i32)))
    (import "guardhost:repo/tree@0.1.0" "read" (func $repo-read (param i32 i32 i32 i32)))
    (import "guardhost:repo/tree@0.1.0" "text" (func $repo-text (param i32 i32 i32 i32)))
    (import "guardhost:repo/tree@0.1.0" "find" (func $find (param i32 i32 i32 i32 i32)))
    (import "guardhost:repo/tree@0.1.0" "search" (func $search (param i32 i32 i32 i32 i32 i32 i32)))
    (import "guardhost:commits/commits@0.1.0" "touching" (func $touching (param i32 i32 i32 i32)))
    (import "guardhost:facts/facts@0.1.0" "manifests" (func $manifests (param i32 i32)))
    (import "guardhost:facts/facts@0.1.0" "[method]manifest.name" (func $name (param i32 i32)))
    (import "guardhost:facts/facts@0.1.0" "[method]manifest.dependencies" (func $dependencies (param i32 i32)))
    (import "guardhost:facts/facts@0.1.0" "[method]manifest.problem" (func $problem (param i32 i32)))
    (import "guardhost:facts/facts@0.1.0" "languages" (func $languages (param i32 i32)))
    (import "guardhost:facts/facts@0.1.0" "frameworks" (func $frameworks (param i32 i32)))
    (import "guardhost:facts/facts@0.1.0" "entry-points" (func $entry-points (param i32 i32)))
    (import "guardhost:modules/modules@0.1.0" "imports" (func $imports (param i32 i32 i32 i32)))
    (import "guardhost:modules/modules@0.1.0" "calls" (func $calls (param i32 i32 i32 i32)))
    (import "guardhost:language/languages@0.1.0" "language-of" (func $language-of (param i32 i32 i32)))
    (import "guardhost:language/languages@0.1.0" "problems-of" (func $problems-of (param i32 i32 i32 i32)))
    (import "guardhost:language/languages@0.1.0" "problems-of-text" (func $problems-of-text (param i32 i32 i32 i32 i32)))
    (import "guardhost:language/languages@0.1.0" "outline-of" (func $outline-of (param i32 i32 i32 i32)))
    (import "guardhost:net/net@0.1.0" "probe" (func $probe (param i32 i32 i32)))
    (import "guardhost:history/history@0.1.0" "outcomes" (func $outcomes (param i32 i32 i32)))
    (import "guardhost:guard/log@0.1.0" "line" (func $line (param i32 i32 i32)))
    (import "guardhost:guard/log@0.1.0" "stderr" (func $stderr (param i32 i32)))
    (import "guardhost:guard/log@0.1.0" "metric" (func $metric (param i32 i32 f64)))
"#;

const WORLD: &str = "import guardhost:repo/tree@0.1.0; import guardhost:commits/commits@0.1.0; import guardhost:facts/facts@0.1.0; \
                     import guardhost:modules/modules@0.1.0; import guardhost:language/languages@0.1.0; import guardhost:net/net@0.1.0; import guardhost:history/history@0.1.0;";

/// What an instruction does. Its operands: `$file`, one of the touched files; `$side`; `$at` and `$len`, a text of the pool; `$list` and
/// `$n`, a list of its beginnings; `$limit`. Results lie at 4000.
const CALLS: [&str; 29] = [
    "(call $files (i32.const 4000))",
    "(call $commits (i32.const 4000))",
    "(call $path (local.get $file) (i32.const 4000))",
    "(call $blob (local.get $file) (local.get $side) (i32.const 4000))",
    "(call $read (local.get $file) (local.get $side) (i32.const 4000))",
    "(call $text (local.get $file) (local.get $side) (i32.const 4000))",
    "(call $hunks (local.get $file) (i32.const 4000))",
    "(call $stat (local.get $side) (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $is-dir (local.get $side) (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $repo-read (local.get $side) (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $repo-text (local.get $side) (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $find (local.get $side) (local.get $list) (local.get $n) (local.get $limit) (i32.const 4000))",
    "(call $search (local.get $side) (local.get $list) (local.get $n) (i32.const 0) (i32.const 0) (local.get $limit) (i32.const 4000))",
    "(call $touching (local.get $at) (local.get $len) (local.get $limit) (i32.const 4000))",
    "(call $manifests (local.get $side) (i32.const 4000))
     (if (i32.load (i32.const 4004)) (then
        (call $name (i32.load (i32.load (i32.const 4000))) (i32.const 4016))
        (call $dependencies (i32.load (i32.load (i32.const 4000))) (i32.const 4016))
        (call $problem (i32.load (i32.load (i32.const 4000))) (i32.const 4016))))",
    "(call $languages (local.get $side) (i32.const 4000))",
    "(call $frameworks (local.get $side) (i32.const 4000))",
    "(call $entry-points (local.get $side) (i32.const 4000))",
    "(call $imports (local.get $side) (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $calls (local.get $side) (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $language-of (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $problems-of (local.get $side) (local.get $at) (local.get $len) (i32.const 4000))",
    // The first text of the pool is the name of a file of Python.
    "(call $problems-of-text (i32.const 1048576) (i32.const 4) (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $outline-of (local.get $side) (local.get $at) (local.get $len) (i32.const 4000))",
    "(call $probe (local.get $list) (local.get $n) (i32.const 4000))",
    "(call $outcomes (local.get $limit) (local.get $limit) (i32.const 4000))",
    "(call $line (local.get $side) (local.get $at) (local.get $len))",
    "(call $stderr (local.get $at) (local.get $len))",
    "(call $metric (local.get $at) (local.get $len) (f64.const 1))",
];

/// Where the texts of the pool begin, and where lists are built.
const POOL: usize = 1 << 20;
const LIST: usize = 900_000;

/// Texts that calls get: paths that exist and that do not, needles and globs that are expensive.
fn pool() -> Vec<Vec<u8>> {
    let texts: [&str; 8] = ["x.py", "big.bin", "letters.txt", "package.json", "Cargo.toml", "src", "return", ""];
    let expensive = [
        "a".repeat(400),
        "a/".repeat(1_900) + "deep.txt",
        "**/*a".repeat(80) + "b",
        "*a".repeat(200) + "b",
        "x".repeat(20_000),
        "../".repeat(100),
        "https://example.org/".to_owned() + &"a".repeat(300),
        "\n".repeat(5_000),
    ];
    let bytes = vec![vec![0xff; 1_000], vec![b'\n'; 60_000]];
    texts
        .map(|text| text.as_bytes().to_vec())
        .into_iter()
        .chain(expensive.map(String::into_bytes))
        .chain(bytes)
        .collect()
}

pub fn guest() -> Guest {
    let mut dispatch = String::new();
    for (number, call) in CALLS.iter().enumerate() {
        write!(dispatch, "(if (i32.eq (local.get $op) (i32.const {number})) (then {call}))").unwrap();
    }
    let pool: Vec<u8> = pool().concat();
    let items = format!(
        r#"(data (i32.const {POOL}) "{pool}")
        (global $base (mut i32) (i32.const 0))
        (global $handles (mut i32) (i32.const 0))
        (global $count (mut i32) (i32.const 0))
        (global $told (mut i32) (i32.const 0))
        (func $fold (local $i i32)
            (loop $more
                (global.set $told (i32.add (i32.mul (global.get $told) (i32.const 31))
                    (i32.load8_u (i32.add (i32.const 4000) (local.get $i)))))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br_if $more (i32.lt_u (local.get $i) (i32.const 16)))))
        (func $number (param $at i32) (param $digits i32) (result i32)
            (local $value i32)
            (loop $more
                (local.set $digits (i32.sub (local.get $digits) (i32.const 1)))
                (local.set $value (i32.or (i32.shl (local.get $value) (i32.const 7))
                    (i32.load8_u (i32.add (local.get $at) (local.get $digits)))))
                (br_if $more (local.get $digits)))
            (local.get $value))
        (func $step (param $p i32)
            (local $op i32) (local $side i32) (local $n i32) (local $at i32) (local $len i32) (local $limit i32)
            (local $times i32) (local $file i32) (local $list i32) (local $i i32)
            (local.set $op (call $number (local.get $p) (i32.const 1)))
            (local.set $side (call $number (i32.add (local.get $p) (i32.const 1)) (i32.const 1)))
            (local.set $n (call $number (i32.add (local.get $p) (i32.const 2)) (i32.const 2)))
            (local.set $at (i32.add (i32.const {POOL}) (call $number (i32.add (local.get $p) (i32.const 4)) (i32.const 3))))
            (local.set $len (call $number (i32.add (local.get $p) (i32.const 7)) (i32.const 3)))
            (local.set $limit (call $number (i32.add (local.get $p) (i32.const 10)) (i32.const 2)))
            (local.set $times (call $number (i32.add (local.get $p) (i32.const 12)) (i32.const 1)))
            (local.set $list (i32.const {LIST}))
            (local.set $file (i32.load (i32.add (global.get $handles)
                (i32.mul (i32.const 4) (i32.rem_u (local.get $n) (global.get $count))))))
            (if (local.get $n) (then (loop $entries
                (i32.store (i32.add (local.get $list) (i32.mul (i32.const 8) (local.get $i))) (local.get $at))
                (i32.store offset=4 (i32.add (local.get $list) (i32.mul (i32.const 8) (local.get $i)))
                    (select (i32.sub (local.get $len) (local.get $i)) (i32.const 1) (i32.gt_u (local.get $len) (local.get $i))))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br_if $entries (i32.lt_u (local.get $i) (local.get $n))))))
            (loop $again
                {dispatch}
                (call $fold)
                (global.set $top (global.get $base))
                (local.set $times (i32.sub (local.get $times) (i32.const 1)))
                (br_if $again (i32.gt_s (local.get $times) (i32.const 0)))))"#,
        pool = escape(&pool),
    );
    // The allocator begins above the pool.
    let check = format!(
        "(global.set $top (i32.const {begin}))
         (call $get-task (i32.const 4000))
         (call $task-text (i32.load (i32.const 4004)) (i32.const 4008))
         (local.set $text (i32.load (i32.const 4008)))
         (local.set $size (i32.load (i32.const 4012)))
         (call $files (i32.const 4000))
         (global.set $handles (i32.load (i32.const 4000)))
         (global.set $count (i32.load (i32.const 4004)))
         (global.set $base (global.get $top))
         (loop $next
            (call $step (i32.add (local.get $text) (local.get $i)))
            (local.set $i (i32.add (local.get $i) (i32.const {INSTRUCTION})))
            (br_if $next (i32.lt_u (local.get $i) (local.get $size))))
         (call $metric (i32.const {POOL}) (i32.const 4) (f64.convert_i32_s (global.get $told)))",
        begin = POOL + (256 << 10)
    );
    Guest { world: WORLD, imports: IMPORTS, items, check, pages: 24, ..Guest::default() }
}

/// Bytes of one instruction, each below 128, because a task is text.
const INSTRUCTION: usize = 13;

pub fn program(random: &mut Random) -> String {
    let pool = pool();
    let mut program = Vec::new();
    for _ in 0..1 + random.below(8) {
        let which = random.below(pool.len());
        let at: usize = pool[..which].iter().map(Vec::len).sum();
        let len = if random.below(4) == 0 { random.below(pool[which].len() + 1) } else { pool[which].len() };
        let mut number =
            |value: usize, digits: u32| (0..digits).for_each(|at| program.push((value >> (7 * at) & 127) as u8));
        number(random.below(CALLS.len()), 1);
        number(random.below(2), 1);
        number([0, 1, 20, 200][random.below(4)], 2);
        number(at, 3);
        number(len, 3);
        number([0, 1, 1_000][random.below(3)], 2);
        number(1 + random.below(60), 1);
    }
    String::from_utf8(program).unwrap()
}

/// Nanoseconds that this thread has run.
fn cpu() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

/// Files of every kind that is expensive to read: large and not text, one long word, deep, many, manifests with long names.
fn repository() -> TestRepo {
    let repo = TestRepo::with(&[("x.py", "def x():\n    return 1\n")]);
    let noise = (0..4 << 20).scan(1u32, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some((*state >> 24) as u8)
    });
    repo.write("big.bin", noise.collect::<Vec<u8>>());
    repo.write("letters.txt", "a".repeat(300_000));
    repo.write("a/".repeat(60) + "deep.txt", "deep\n");
    (0..200).for_each(|at| repo.write(format!("many/{at}.txt"), "x\n"));
    let names: String = (0..200).map(|at| format!("\"{}{at}\": \"1\",", "n".repeat(200))).collect();
    repo.write(
        "package.json",
        format!("{{\"name\": \"{}\", \"dependencies\": {{{names} \"z\": \"1\"}}}}", "p".repeat(100_000)),
    );
    repo.write("Cargo.toml", format!("[package]\nname = \"{}\nversion", "c".repeat(50_000)));
    repo.commit("before");
    repo.write("x.py", "def x():\n    return 2\n");
    repo.write("letters.txt", "b".repeat(300_000));
    repo.write("big.bin", vec![0xfe; 4 << 20]);
    repo.commit("after");
    repo
}

#[test]
fn what_host_calls_cost_is_charged() {
    let repo = repository();
    let open = repo.open();
    let candidate = range(&open, "HEAD~1..HEAD").unwrap();
    let services = HostServices { commits: Some(open.store()), ..HostServices::only(LinkChecker::offline()) };
    let machine = EngineContext { services, threads: 1, ..machine() };
    let guard = SingleGuard::new(guest().component().into(), "a test", &machine).unwrap();
    let variable = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let seeds = match variable("GUARD_FUZZ_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..variable("GUARD_FUZZ_ROUNDS").unwrap_or(24),
    };
    for seed in seeds {
        let task = Task { text: program(&mut Random::new(seed)), ..Task::default() };
        let input = GuardInput { candidate: candidate.clone(), task: Some(task), settings: Value::Null };
        let begun = cpu();
        let (output, held) = peak(|| guard.judge(&input).unwrap());
        let spent = cpu() - begun;
        let (work, fuel) = (output.host_work, output.evidence.fuel);
        let charged = u64::from(work.calls) * PER_CALL + work.bytes * PER_BYTE + fuel * PER_FUEL;
        let verdict = &output.evidence.verdict;
        assert!(spent <= FIXED + charged, "seed {seed}: {spent} ns for {work:?} and {fuel} fuel; {verdict:?}");
        assert!(held <= HEAP, "seed {seed}: {held} bytes of the heap; {verdict:?}");
        let is_trap = matches!(verdict, GuardVerdict::Error { code: "trap" | "machine", .. });
        assert!(!is_trap, "seed {seed}: {verdict:?}");
    }
}

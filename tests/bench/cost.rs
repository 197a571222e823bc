//! What each guard costs: `cargo bench --bench cost` prints the figures of the README. Ten files of this repository, each with
//! a paragraph that was not there before, are judged by every embedded guard alone and by the default set, warm and on one
//! thread. Fuel is exact; of times the least is what the work takes, and the median what a busy machine makes of it.

use std::collections::BTreeSet;
use std::time::Instant;

use guard_sdk::testing::{Case, check};
use guard_sdk::{Guard, Mode};
use guardhost_core::change::{Candidate, FileMode, Judgement, NullObserver, RepoPath, Task};
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{EngineContext, GuardSet, GuardSpec, HostServices, JudgeContext, default_set, guard};
use guardhost_git::ScratchRepository;

const CALLS: usize = 41;

/// Where it stands in the change, and its text.
const FILES: [(&str, &str); 10] = [
    ("README.md", include_str!("../../README.md")),
    ("docs/providers.md", include_str!("../../docs/providers.md")),
    ("src/run.rs", include_str!("../../host/engine/call/mod.rs")),
    ("tools/cold.py", include_str!("cold.py")),
    ("tests/test_server.py", include_str!("../support/llamacpp/server.py")),
    ("web/change.js", include_str!("../../sdk/js/guardhost/change.js")),
    ("web/index.d.ts", include_str!("../../sdk/js/guardhost/index.d.ts")),
    (
        "web/vite.config.js",
        "import { defineConfig } from 'vite';\n\nimport vue from '@vitejs/plugin-vue';\n\n\
         export default defineConfig({ plugins: [vue()] });\n",
    ),
    ("Cargo.toml", include_str!("../../Cargo.toml")),
    (".github/workflows/ci.yml", include_str!("workflow.yml")),
];

const BESIDE: (&str, &str) = (
    "web/package.json",
    "{ \"name\": \"web\", \"devDependencies\": { \"vite\": \"7\", \"vue\": \"3\", \"@vitejs/plugin-vue\": \"6\" } }\n",
);

/// Without the paragraph in its middle.
fn before(text: &str) -> String {
    let mut parts: Vec<&str> = text.split("\n\n").collect();
    parts.remove(parts.len() / 2);
    parts.join("\n\n")
}

/// What a document's links lead to, so that they do not all lead nowhere: a folder is told by a file in it.
fn linked(path: &str, text: &str) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let targets = targets.filter(|target| !target.is_empty() && !target.contains("://") && path.ends_with(".md"));
    let in_folder = |target: &str| match target.rsplit('/').next().unwrap_or_default().contains('.') {
        true => target.to_owned(),
        false => format!("{target}/README.md"),
    };
    targets.map(|target| folder.clone() + &in_folder(target)).filter(|target| !target.contains("..")).collect()
}

/// One for each call, and one more: facts are kept by tree, and a new change is a new tree.
fn changes(scratch: &ScratchRepository, files: &[(&str, &str)]) -> Vec<Candidate> {
    (0..=CALLS).map(|number| change(scratch, files, number)).collect()
}

fn change(scratch: &ScratchRepository, files: &[(&str, &str)], number: usize) -> Candidate {
    let file = |path: &str, text: String| (RepoPath::from(path), FileMode::File, text.into_bytes());
    let beside = files.iter().flat_map(|(path, text)| linked(path, text)).chain([BESIDE.0.to_owned()]);
    let beside: BTreeSet<String> = beside.filter(|path| !files.iter().any(|(own, _)| own == path)).collect();
    let side = |text: fn(&str) -> String| {
        let files = files.iter().map(|(path, old)| file(path, text(old)));
        let beside = beside.iter().map(|path| file(path, if path == BESIDE.0 { BESIDE.1 } else { "" }.to_owned()));
        files.chain(beside).chain([file("number", number.to_string())]).collect::<Vec<_>>()
    };
    scratch.candidate(&side(before), &side(str::to_owned)).expect("a change")
}

fn set(specs: Vec<GuardSpec>) -> GuardSet {
    let machine = EngineContext {
        exe: "host".into(),
        cache_dir: None,
        modules_dir: None,
        measured_dir: None,
        verdicts: None,
        threads: 1,
        services: HostServices::only(LinkChecker::offline()),
        embedded: &guards::EMBEDDED,
        stop: Default::default(),
    };
    GuardSet::new(specs, &machine).expect("the embedded guards")
}

/// What every call of the guards comes to, after one that loads them.
fn judged(changes: &[Candidate], set: &GuardSet) -> Vec<Judgement> {
    let hints = FILES.iter().map(|(path, _)| RepoPath::from(*path)).collect();
    let task = Task { text: "Say more".into(), hints, ..Task::default() };
    let judge = |change| guard(change, set, &JudgeContext { task: Some(&task), observer: &NullObserver });
    changes.iter().map(judge).skip(1).collect()
}

/// Median and least.
fn spread(mut values: Vec<u64>) -> (u64, u64) {
    values.sort_unstable();
    (values[values.len() / 2], values[0])
}

/// Nanoseconds that this thread, the only one that judges, was on a processor: proc(5). It lags by a tick at most.
fn on_cpu() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0)
}

fn table(changes: &[Candidate]) {
    println!("| | guard | size | verdict | fuel | µs, least | µs, median |\n|---|---|---|---|---|---|---|");
    for builtin in guards::builtin() {
        let specs = default_set(&guards::EMBEDDED, &[builtin.id.to_owned()]).expect("the embedded guards");
        let spec = specs.into_iter().find(|spec| spec.id == builtin.id).expect("it is asked for");
        let all = judged(changes, &set(vec![spec]));
        let first = &all[0].evidence[0];
        let (median, least) = spread(all.iter().map(|judgement| judgement.evidence[0].micros).collect());
        let (mark, word, fuel) = (&first.mark, first.verdict.as_str(), first.fuel);
        let size = builtin.size as f64 / 1e6;
        match word {
            // Builds, tests and plans are asked for elsewhere.
            "error" | "not-applicable" => println!("| {mark} | {} | {size:.2} MB | – | – | – | – |", builtin.id),
            _ => println!("| {mark} | {} | {size:.2} MB | {word} | {fuel} | {least} | {median} |", builtin.id),
        }
    }
    let default = set(default_set(&guards::EMBEDDED, &[]).expect("the embedded guards"));
    let (warming, rest) = changes.split_at(1);
    judged(warming, &default);
    let begun = on_cpu();
    let all = judged(rest, &default);
    let cpu = (on_cpu() - begun) / 1_000 / CALLS as u64;
    let sum = |judgement: &Judgement| judgement.evidence.iter().map(|evidence| evidence.micros).sum();
    let fuel: u64 = all[0].evidence.iter().map(|evidence| evidence.fuel).sum();
    let (median, least) = spread(all.iter().map(sum).collect());
    println!("| | the default set | | | {fuel} | {least} | {median} |");
    println!("\nThe default set takes {cpu} µs of CPU a change, its facts and diffs included; the bar is 8000.\n");
}

/// The same guard as machine code of this build: of the same files the same questions are asked.
fn beside_native<G: Guard>(scratch: &ScratchRepository, name: &str, files: &[(&str, &str)]) {
    let (before, after) = (files.iter().map(|(path, text)| (*path, before(text))), files.iter());
    let mut case = Case::default();
    case.before = before.map(|(path, text)| (path.to_owned(), (Mode::File, text.into_bytes()))).collect();
    case.after = after.map(|(path, text)| ((*path).to_owned(), (Mode::File, text.as_bytes().to_vec()))).collect();
    let native = || {
        let begun = Instant::now();
        check::<G>(&case).expect("a verdict");
        begun.elapsed().as_micros() as u64
    };
    let (_, native) = spread((0..CALLS).map(|_| native()).collect());
    let spec = GuardSpec::builtin(G::ABOUT.id);
    let all = judged(&changes(scratch, files), &set(vec![spec]));
    let (_, guest) = spread(all.iter().map(|judgement| judgement.evidence[0].micros).collect());
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let ratio = guest as f64 / native.max(1) as f64;
    println!("| {} | {name} | {bytes} | {guest} | {native} | {ratio:.1} |", G::ABOUT.id);
}

fn main() {
    let scratch = ScratchRepository::new(&std::env::temp_dir()).expect("a repository");
    table(&changes(&scratch, &FILES));

    println!("| guard | files | bytes | guest, µs | native, µs | ratio |\n|---|---|---|---|---|---|");
    // Long enough that the call itself does not count.
    let long = |path: &'static str, text: &str| (path, &*text.repeat(10).leak());
    let of = |path: &str| FILES.iter().find(|file| file.0 == path).expect("one of the ten").1;
    let table = "[[a]]\nname = \"b\"\nlist = [1, 2, 3] # words\n\n".repeat(30);
    let json = format!("[\n{}\n\n1\n]\n", include_str!("../../docs/guards.schema.json").to_owned() + ",\n");
    let yaml = of(".github/workflows/ci.yml").replace("on:", "---\non:");
    beside_native::<syntax_holds::SyntaxHolds>(&scratch, "Python", &[long("a.py", of("tools/cold.py"))]);
    beside_native::<syntax_holds::SyntaxHolds>(
        &scratch,
        "Rust",
        &[long("a.rs", &of("src/run.rs").replace("//!", "//"))],
    );
    beside_native::<syntax_holds::SyntaxHolds>(
        &scratch,
        "JavaScript",
        &[long("a.js", &of("web/change.js").replace("export ", ""))],
    );
    beside_native::<syntax_holds::SyntaxHolds>(&scratch, "YAML", &[long("a.yaml", &yaml)]);
    beside_native::<syntax_holds::SyntaxHolds>(&scratch, "TOML", &[long("a.toml", &table)]);
    beside_native::<syntax_holds::SyntaxHolds>(&scratch, "JSON", &[("a.json", &*json.leak())]);
    beside_native::<docs_kept::DocsKept>(&scratch, "Markdown", &[long("a.md", of("docs/providers.md"))]);
    beside_native::<schema_holds::SchemaHolds>(
        &scratch,
        "a workflow",
        &[(".github/workflows/ci.yml", of(".github/workflows/ci.yml"))],
    );
}

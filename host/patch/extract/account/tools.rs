//! Commands that change files without naming them: of package managers, of tools that fix or format code, and of git.

/// What a command changes besides the files that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing that is known here.
    Named,
    /// The list of what a project depends on, a file of this name.
    Manifest(&'static str),
    /// Files that nobody can tell.
    Any,
    /// The look of what it names, if it names a file. Without one it is what is done after every edit.
    Look,
}

/// What stands before a program that it runs.
const RUNNERS: [&[&str]; 10] = [
    &["npx"],
    &["bunx"],
    &["pnpm", "dlx"],
    &["pnpm", "exec"],
    &["yarn", "dlx"],
    &["uv", "run"],
    &["poetry", "run"],
    &["bundle", "exec"],
    &["python", "-m"],
    &["python3", "-m"],
];

/// Programs, their commands, whether these need a further word, and what they write.
const WRITERS: [(&[&str], &[&str], bool, Effect); 21] = [
    (&["npm", "pnpm", "yarn", "bun"], &["add", "remove", "rm", "uninstall", "un", "upgrade"], true, PACKAGE_JSON),
    (&["npm", "pnpm", "bun"], &["install", "i"], true, PACKAGE_JSON),
    (&["npm", "pnpm", "yarn"], &["version", "pkg", "set"], true, PACKAGE_JSON),
    (&["cargo"], &["add", "remove", "rm", "set-version", "upgrade"], false, Effect::Manifest("Cargo.toml")),
    (&["cargo", "go"], &["fix"], false, Effect::Any),
    (&["go"], &["get"], true, Effect::Manifest("go.mod")),
    (&["poetry", "uv", "pdm", "rye", "hatch"], &["add", "remove", "version"], true, Effect::Manifest("pyproject.toml")),
    (&["pipenv"], &["install", "uninstall"], true, Effect::Manifest("Pipfile")),
    (&["bundle"], &["add", "remove"], true, Effect::Manifest("Gemfile")),
    (&["composer"], &["require", "remove"], true, Effect::Manifest("composer.json")),
    (&["flutter", "dart"], &["pub"], true, Effect::Manifest("pubspec.yaml")),
    (&["deno"], &["add", "remove"], true, Effect::Manifest("deno.json")),
    (&["mvn"], &["versions:set"], false, Effect::Manifest("pom.xml")),
    (&["dotnet"], &["add", "remove"], true, Effect::Any),
    // The commands of git that change the work tree, but for those that do what the reply's patch does, or go to another commit.
    (&["git"], &["revert", "cherry-pick", "restore", "clean", "rm", "mv", "stash", "reset"], false, Effect::Any),
    (&["git"], &["read-tree", "checkout-index", "update-index", "filter-branch", "filter-repo"], false, Effect::Any),
    (
        &["bumpversion", "bump2version", "bump-my-version", "pyupgrade", "codemod", "jscodeshift"],
        &[],
        false,
        Effect::Any,
    ),
    (&["black", "isort", "rustfmt", "gofumpt"], &[], false, Effect::Look),
    (&["cargo", "go", "ruff", "deno", "terraform", "dprint", "mix"], &["fmt", "format"], false, Effect::Look),
    (
        &["prettier", "gofmt", "goimports", "clang-format", "autopep8", "yapf", "biome", "standard"],
        &[],
        false,
        Effect::Look,
    ),
    (&["php-cs-fixer"], &["fix"], false, Effect::Look),
];

const PACKAGE_JSON: Effect = Effect::Manifest("package.json");

/// Options with which a program only tells what it would do.
const DRY: [&str; 7] = ["--check", "--diff", "--dry-run", "-n", "--list-different", "-l", "-d"];

/// Options with which any program fixes what it finds.
const MENDING: [&str; 6] =
    ["--fix", "--fix-dry-run=false", "--autocorrect", "--auto-correct", "--fix-errors", "--apply"];

/// The words of a command, without the program that only runs another one.
pub(super) fn run_by<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    RUNNERS.iter().find_map(|runner| words.strip_prefix(*runner)).unwrap_or(words)
}

/// What `program` with the words `rest` changes besides the files that it names.
pub(super) fn effect(program: &str, rest: &[&str]) -> Effect {
    let has = |options: &[&str]| rest.iter().any(|word| options.contains(word));
    // What is installed for a user is no file of the repository.
    if has(&["-g", "--global"]) {
        return Effect::Named;
    }
    if has(&MENDING) && !has(&["--dry-run"]) {
        return Effect::Any;
    }
    let words: Vec<&str> = rest.iter().filter(|word| !word.starts_with('-')).copied().collect();
    let sub = words.first().copied().unwrap_or_default();
    match (program, sub) {
        // `go mod tidy` and `npm pkg get` follow from what is there.
        ("go", "mod") if words.get(1).is_some_and(|word| matches!(*word, "edit" | "init")) => {
            return Effect::Manifest("go.mod");
        }
        ("npm" | "pnpm", "pkg") if words.get(1) == Some(&"get") => return Effect::Named,
        ("flutter" | "dart", "pub") if words.get(1).is_none_or(|word| !matches!(*word, "add" | "remove")) => {
            return Effect::Named;
        }
        ("yarn", "set" | "version") | ("npm", "set") => return Effect::Named,
        ("git", "stash") if words.get(1).is_some_and(|word| matches!(*word, "list" | "show")) => return Effect::Named,
        ("git", "checkout") if has(&["--", "."]) => return Effect::Any,
        _ => {}
    }
    let is_meant = |(programs, subs, needs_word, _): &&(&[&str], &[&str], bool, Effect)| {
        let is_sub = subs.is_empty() || subs.contains(&sub);
        // `./...` is what is there already.
        let has_word = words[words.len().min(1)..].iter().any(|word| !matches!(*word, "." | "./..."));
        programs.contains(&program) && is_sub && (!needs_word || has_word)
    };
    match WRITERS.iter().find(is_meant) {
        Some((_, _, _, Effect::Look)) if has(&DRY) => Effect::Named,
        Some((.., effect)) => *effect,
        None => Effect::Named,
    }
}

//! Migrations of databases: each runs once, in the order of their names.

use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{Change, File, Finding, Side};

use crate::Made;

pub fn judge(file: &File, made: &Made) -> Option<Finding> {
    let path = file.path();
    let was = file.old_path().unwrap_or(path);
    let is_own = !matches!(kind_of(was), Kind::TestData | Kind::Vendored | Kind::Template | Kind::Example | Kind::Test);
    // A task that wants a migration wants a new one: only the name of this one excuses its edit.
    let is_edited = file.before().is_regular() && file.after().is_regular();
    if !is_own || !is_edited || !is_migration(was) || made.names(was) {
        return None;
    }
    // Another number is another migration, which runs; that two are alike makes git take them for one file.
    if number(was) != number(path) {
        return None;
    }
    let (before, after) = (file.before().text().ok()?, file.after().text().ok()?);
    // Blanks, comments and quotes are none of what runs.
    if runs(&before) == runs(&after) {
        return None;
    }
    let line = file.changed_lines().first().map_or(1, |lines| *lines.start());
    let finding = Finding::error(
        "migration-edited",
        format!("the migration {path} is edited; where it has run, it does not run again"),
    )
    .at(path, line)
    .help("Leave the migration as it was, and write a new one that makes the further change.");
    Some(made.only_by_models(finding))
}

/// A new one whose number another one of its folder has: which of the two runs first, the tool decides, or it refuses both.
pub fn taken(file: &File, change: &Change) -> Option<Finding> {
    let path = file.path();
    let (folder, name) = path.rsplit_once('/')?;
    let is_own =
        !matches!(kind_of(path), Kind::TestData | Kind::Vendored | Kind::Template | Kind::Example | Kind::Test);
    let own = number(path);
    if file.before().exists()
        || !file.after().is_regular()
        || !is_own
        || !is_migration(path)
        || own.is_empty()
        || folder.contains(['*', '['])
    {
        return None;
    }
    let all = change.repo(Side::After).find(&[&format!("/{folder}/*")], 2_000);
    // One migration may have several files: `0004_users.up.sql`, `0004_users.down.sql`.
    let stem = |path: &str| path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or_default().to_owned();
    let others = |number_: &str, not: &str| {
        all.iter().find(|other| is_migration(other) && number(other) == number_ && stem(other) != stem(not)).cloned()
    };
    let other = others(&own, path)?;
    let is_new = change.files().any(|file| file.path() == other && !file.before().exists());
    let is_custom =
        all.iter().any(|one| is_migration(one) && number(one) != own && others(&number(one), one).is_some());
    (!is_new && !is_custom).then(|| {
        let message = format!("{name} has the number {own}, which {other} has already");
        Finding::error("migration-number-taken", message).file(path).help("Give it the next number that is free.")
    })
}

/// By the folders and names of Django, Alembic, Rails, Flyway, Prisma, Knex, Laravel, Diesel, sqlx and their like.
fn is_migration(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let runs = ["py", "rb", "sql", "js", "ts", "php", "go", "cs", "java", "kt", "ex", "exs", "xml"].contains(&ending);
    let parts: Vec<&str> = folder.split('/').collect();
    let of = |part: &str| matches!(part, "migrations" | "migration" | "migrate" | "versions" | "upgrades");
    let is_folder = parts.iter().rev().take(2).any(|part| of(part));
    let own = name.strip_prefix(['v', 'm', 'r']).unwrap_or(name);
    let digits = own.bytes().take_while(u8::is_ascii_digit).count();
    // `0001_initial.py`, `20240102030405_add.rb`, `V1__init.sql`; of Alembic, a hash.
    let is_numbered = digits >= 1 && own.as_bytes().get(digits).is_some_and(|byte| matches!(byte, b'_' | b'-' | b'.'));
    let is_hashed = parts.contains(&"versions")
        && name
            .split('_')
            .next()
            .is_some_and(|hash| hash.len() == 12 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let parent = parts.last().copied().unwrap_or_default();
    let is_of_folder =
        matches!(name, "migration.sql" | "up.sql" | "down.sql") && parent.starts_with(|c: char| c.is_ascii_digit());
    runs && is_folder && (is_numbered || is_hashed || is_of_folder) && !name.starts_with("__init__")
}

/// What stands before the name of a migration and says which it is: a number, a date, a version, or of Alembic a hash.
fn number(path: &str) -> String {
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let is_of_folder = matches!(name, "migration.sql" | "up.sql" | "down.sql");
    let name = if is_of_folder { parts.next().unwrap_or_default() } else { name };
    let first = name.split('_').next().unwrap_or_default();
    if first.len() == 12 && first.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return first.to_owned();
    }
    let own = name.strip_prefix(['v', 'm', 'r']).unwrap_or(name);
    let end = own.find(|c: char| !c.is_ascii_digit() && !"_-.".contains(c)).unwrap_or(own.len());
    own[..end].trim_end_matches(['_', '-', '.']).to_owned()
}

/// Its lines without what does not run.
fn runs(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| {
        !(line.is_empty()
            || line.starts_with('#')
            || line.starts_with("//")
            || line.starts_with("--")
            || line.starts_with('*')
            || line.starts_with("import ")
            || line.starts_with("from "))
    });
    lines
        .flat_map(|line| {
            line.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | ',' | ';' | '(' | ')'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{is_migration, number};

    #[test]
    fn paths_of_migrations() {
        for (path, is) in [
            ("app/migrations/0001_initial.py", true),
            ("app/migrations/__init__.py", false),
            ("alembic/versions/1a2b3c4d5e6f_add_users.py", true),
            ("db/migrate/20240102030405_add_users.rb", true),
            ("src/main/resources/db/migration/V1__init.sql", true),
            ("prisma/migrations/20240102030405_init/migration.sql", true),
            ("migrations/2024-01-02-030405_users/up.sql", true),
            ("database/migrations/2024_01_02_030405_users.php", true),
            ("docs/versions/1.0.md", false),
            ("src/migrate/run.py", false),
            ("migrations/env.py", false),
        ] {
            assert_eq!(is_migration(path), is, "{path}");
        }
    }

    #[test]
    fn numbers_of_migrations() {
        for (path, is) in [
            ("app/migrations/0001_initial.py", "0001"),
            ("alembic/versions/1a2b3c4d5e6f_add_users.py", "1a2b3c4d5e6f"),
            ("Migrations/20251116182606_V3_6.Designer.cs", "20251116182606"),
            ("db/migration/V1.2__init.sql", "1.2"),
            ("prisma/migrations/20240102030405_init/migration.sql", "20240102030405"),
            ("migrations/2024-01-02-030405_users/up.sql", "2024-01-02-030405"),
            ("database/migrations/2024_01_02_030405_users.php", "2024_01_02_030405"),
        ] {
            assert_eq!(number(path), is, "{path}");
        }
    }
}

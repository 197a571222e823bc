//! Brings a database to this version: numbered SQL, forward only. A copy of the file is kept before it is changed.

use std::path::Path;

use rusqlite::Connection;

use crate::storage::{Result, StorageError};

/// Number n brings a database of version n to n + 1. They are never edited once they were released.
const MIGRATIONS: [&str; 4] = [
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
];
/// The version that has the list of runs, which is made of the events that are there.
const LIST_OF_RUNS: usize = 4;

/// # Errors
/// The file was written by a later version, or cannot be changed.
pub fn migrate(connection: &mut Connection, file: &Path) -> Result<()> {
    let version: usize = connection
        .query_row("pragma user_version", [], |row| row.get::<_, i64>(0))
        .map(|n| usize::try_from(n).unwrap_or(usize::MAX))?;
    let newest = MIGRATIONS.len();
    if version > newest {
        return Err(StorageError::Unavailable(format!(
            "{} has version {version}, and this program knows {newest}: start a program as new as the one that wrote it",
            file.display()
        )));
    }
    if version == newest {
        return Ok(());
    }
    if version > 0 {
        let copy = file.with_extension(format!("db.version-{version}"));
        // A copy that an interrupted migration left is of the same version, and may be incomplete.
        let _ = std::fs::remove_file(&copy);
        connection.execute("vacuum into ?1", [copy.to_string_lossy()])?;
    }
    for (number, sql) in MIGRATIONS.iter().enumerate().skip(version) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(sql)?;
        if number + 1 == LIST_OF_RUNS {
            super::runs::fill(&transaction)?;
        }
        transaction.pragma_update(None, "user_version", i64::try_from(number + 1).unwrap_or(i64::MAX))?;
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_of_a_later_version_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("observer.db");
        let mut connection = Connection::open(&file).unwrap();
        migrate(&mut connection, &file).unwrap();
        migrate(&mut connection, &file).unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let error = migrate(&mut connection, &file).unwrap_err().to_string();
        assert!(error.contains("version 99"), "{error}");
        let tables: i64 = connection.query_row("select count(*) from observation", [], |row| row.get(0)).unwrap();
        assert_eq!(tables, 0);
    }
}

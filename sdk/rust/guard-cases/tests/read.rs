//! Both forms of a case, and what a single file must not hold.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use guard_cases::{Case, Mode, find};

/// An empty folder, gone with its value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("guard-cases-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.0.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        file
    }

    fn names(&self) -> Vec<String> {
        find(&self.0, &["before", "after"]).unwrap().into_iter().map(|location| location.name).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Paths and texts, in order.
fn files(case: &Case) -> Vec<(&str, &str)> {
    let text = |bytes| std::str::from_utf8(bytes).unwrap();
    case.files().iter().map(|file| (file.path.to_str().unwrap(), text(&file.bytes))).collect()
}

fn read(text: impl AsRef<[u8]>) -> Result<Vec<(String, String)>, String> {
    let folder = Folder::new();
    let path = folder.write("one.case", text);
    let prefix = format!("{}:", path.display());
    let case = Case::read(&path).map_err(|error| error.to_string().strip_prefix(&prefix).unwrap().to_owned())?;
    Ok(files(&case).into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect())
}

#[test]
fn either_form_is_the_same_case() {
    let folder = Folder::new();
    let single = folder.write(
        "single.case",
        "Why it is here.\n\n-- before/a b.py --\nx = 1\n-- before/empty --\n-- expect.json --\n{}\n\n-- after/ü/a.py --\n--x--\n-- y\n",
    );
    folder.write("folder/before/a b.py", "x = 1\n");
    folder.write("folder/before/empty", "");
    folder.write("folder/expect.json", "{}\n\n");
    folder.write("folder/after/ü/a.py", "--x--\n-- y\n");
    let (single, folder) = (Case::read(&single).unwrap(), Case::read(&folder.0.join("folder")).unwrap());
    assert_eq!(files(&single), files(&folder));
    assert_eq!(
        files(&single),
        [
            ("after/ü/a.py", "--x--\n-- y\n"),
            ("before/a b.py", "x = 1\n"),
            ("before/empty", ""),
            ("expect.json", "{}\n\n")
        ]
    );
    assert!(single.files().iter().all(|file| file.mode == Mode::File));
    assert_eq!(single.text("expect.json").unwrap(), Some("{}\n\n"));
    assert_eq!(single.text("task.json").unwrap(), None);
    let below: Vec<_> = single.below("before").map(|(path, _)| path.to_str().unwrap()).collect();
    assert_eq!(below, ["a b.py", "empty"]);
    assert_eq!(single.below("shown").count(), 0);
    assert!(single.place("expect.json", 2).ends_with("single.case:8 (expect.json)"));
    assert!(single.place("expect.json", 9).ends_with("single.case:8 (expect.json)"), "a line of another file");
    assert!(single.place("task.json", 1).ends_with("single.case (task.json)"));
    assert!(folder.place("expect.json", 2).ends_with("folder/expect.json:2"));
}

#[cfg(unix)]
#[test]
fn a_folder_has_links_modes_and_any_bytes() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let script = folder.write("case/before/run.sh", b"\xff\r\n\0");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    symlink("nowhere", folder.0.join("case/before/link")).unwrap();
    let case = Case::read(&folder.0.join("case")).unwrap();
    let found: Vec<_> = case.files().iter().map(|file| (file.mode, &*file.bytes)).collect();
    assert_eq!(found, [(Mode::Link, &b"nowhere"[..]), (Mode::Executable, b"\xff\r\n\0")]);
    assert!(case.text("before/run.sh").unwrap_err().to_string().contains("before/run.sh"));
}

#[test]
fn a_text_that_may_mean_something_else_is_refused() {
    let rows: &[(&[u8], &str)] = &[
        (b"", "1: it holds no file"),
        (b"only a comment\n", "1: it holds no file"),
        (b"-- a --\nx\n-- b --\ny", "4: the last line has no line feed"),
        (b"-- a --", "1: the last line has no line feed"),
        (b"-- a --\r\nx\r\n", "1: a carriage return"),
        (b"-- a --\nx\ny\rz\n", "3: a carriage return"),
        (b"\xef\xbb\xbf-- a --\nx\n", "1: a byte order mark"),
        (b"-- a --\n\xef\xbb\xbfx\n", "2: a byte order mark"),
        (b"-- a --\n\0\n", "2: a NUL"),
        (b"comment\n-- a --\nx\n\xff\n", "4: it is not UTF-8"),
        (b"-- a --\nx\n-- a --\ny\n", "3: `a` is there twice"),
        (b"-- a --\nx\n-- a/b --\ny\n", "3: `a/b` is inside of another file"),
        (b"-- a/b/c --\nx\n-- a --\ny\n", "1: `a/b/c` is inside of another file"),
        (b"-- a --\nx\n-- b -- \ny\n", "3: blanks behind a marker"),
        (b"-- a --\nx\n-- b --\t\ny\n", "3: blanks behind a marker"),
        (b"-- a --\nx\n--  b --\ny\n", "3: a marker is"),
        (b"-- a --\nx\n--   --\ny\n", "3: a marker is"),
        (b"-- /etc/passwd --\nx\n", "1: `/etc/passwd` is not a path inside"),
        (b"-- ../a --\nx\n", "1: `../a` is not a path inside"),
        (b"-- before/../../a --\nx\n", "1: `before/../../a` is not a path inside"),
        (b"-- ./a --\nx\n", "1: `./a` is not a path inside"),
        (b"-- a//b --\nx\n", "1: `a//b` is not a path inside"),
        (b"-- before/ --\n", "1: `before/` is not a path inside"),
        (b"-- a\\b --\nx\n", "1: the path `a\\\\b` holds a backslash"),
        (b"-- a\tb --\nx\n", "1: the path `a\\tb` holds a backslash or a control"),
    ];
    for (text, wrong) in rows {
        let error = read(text).expect_err(wrong);
        assert!(error.starts_with(wrong), "{error} is not {wrong}");
    }
}

#[test]
fn what_only_resembles_a_marker_is_text() {
    let lines = "--a--\n --  a --\n-- a --b\n-- a\n-- --\n--\n-- \n--- a/x\n+++ b/x\n+-- a --\n";
    let found = read(format!("-- x --\n{lines}")).unwrap();
    assert_eq!(found, [("x".to_owned(), lines.to_owned())]);
}

#[test]
fn cases_are_found_in_one_order_whatever_their_form() {
    let folder = Folder::new();
    folder.write("README.md", "no case");
    folder.write("b.case", "-- before/a --\n");
    folder.write("a/after/x.case", "no case: inside of one");
    folder.write("c/deeper/two.case", "-- before/a --\n");
    folder.write("c/deeper/one/before/a", "");
    folder.write("c/notes.txt", "no case");
    folder.write("d/nothing/here.txt", "no case");
    assert_eq!(folder.names(), ["a", "b", "c/deeper/one", "c/deeper/two"]);
    // The name of a folder of cases is free for a case.
    folder.write("c.case", "-- before/a --\n");
    assert_eq!(folder.names(), ["a", "b", "c/deeper/one", "c/deeper/two", "c"]);
    folder.write("c/deeper/two/before/a", "");
    let error = find(&folder.0, &["before", "after"]).unwrap_err().to_string();
    assert!(error.contains("c/deeper/two.case") && error.contains("a folder and a file at once"), "{error}");
    assert!(find(&folder.0.join("none"), &["before"]).unwrap_err().to_string().contains("none"));
    assert!(Case::read(Path::new("no-such.case")).unwrap_err().to_string().contains("no-such.case"));
}

#[test]
fn an_expectation_is_written_and_the_rest_stays() {
    let folder = Folder::new();
    let text = "Comment\n\n-- before/a --\nx\n\n-- expect.json --\n{}\n-- after/a --\n";
    let path = folder.write("one.case", text);
    let case = Case::read(&path).unwrap();
    assert!(case.write("expect.json", "{\n}\n").unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), text.replace("{}", "{\n}"));
    assert!(!case.write("expect.json", "{\n}\n").unwrap(), "it was that already");
    assert!(case.write("expect.json", "").unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), text.replace("{}\n", ""));
    assert!(case.write("after/a", "y\n").unwrap());
    assert!(case.write("told", "new\n").unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), text.replace("{}\n", "") + "y\n-- told --\nnew\n");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "something was left behind");

    let before = fs::read_to_string(&path).unwrap();
    for cannot in ["no line feed", "x\n-- other --\ny\n", "x\n-- other -- \n", "\r\n", "\u{feff}\n", "\0\n"] {
        let error = case.write("expect.json", cannot).unwrap_err().to_string();
        assert!(error.contains("make it a folder"), "{error}");
    }
    assert!(case.write("../expect.json", "x\n").is_err());
    assert!(case.write("after/a/b", "x\n").is_err(), "a file is no folder");
    assert_eq!(fs::read_to_string(&path).unwrap(), before);

    folder.write("two/before/a", "x");
    let case = Case::read(&folder.0.join("two")).unwrap();
    assert!(case.write("expect.json", "\r").unwrap());
    assert!(!case.write("expect.json", "\r").unwrap());
    assert!(Case::read(&folder.0.join("two")).unwrap().holds("expect.json", "\r").unwrap());
}

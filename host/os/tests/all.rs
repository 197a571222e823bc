//! What other crates rely on, whatever the system.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use guardhost_os::*;

fn folder() -> (tempfile::TempDir, Dir) {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).expect("it opens");
    (folder, dir)
}

#[test]
fn names_go_to_the_system_and_back() {
    for path in ["a/b.rs", "ä ö/c", ".gitignore"] {
        assert_eq!(slashed(&path_in_work_tree(path.as_bytes())), path.as_bytes());
        assert_eq!(os_str(path.as_bytes()), OsStr::new(path));
        assert_eq!(os_string(path.as_bytes().to_vec()), path);
    }
}

#[test]
fn what_is_private_is_of_this_user_and_closed_to_others() {
    let (folder, _) = folder();
    let inner = folder.path().join("private");
    DirBuilder::new().private().create(&inner).expect("a folder");
    let file = inner.join("file");
    OpenOptions::new().write(true).create(true).truncate(true).private().open(&file).expect("a file");
    for path in [&inner, &file] {
        let data = fs::symlink_metadata(path).expect("it is there");
        assert!(is_own(&data) && !may_be_read_by_others(&data), "{}", path.display());
    }
    make_private(&inner).expect("it stays");
}

#[test]
fn two_names_of_one_file_are_known_and_so_is_a_file_that_was_replaced() {
    let (folder, dir) = folder();
    fs::write(folder.path().join("a"), "x").expect("written");
    fs::write(folder.path().join("b"), "x").expect("written");
    let [a, b, c, none] = ["a", "b", "c", "none"].map(|name| (&dir, OsStr::new(name)));
    link(a, c).expect("a file system with hard links");
    assert!(is_same_file(a, c).expect("asked"));
    assert!(!is_same_file(a, b).expect("asked"));
    assert!(!is_same_file(a, none).expect("asked"));
    assert!(link(b, c).is_err(), "nothing is replaced");
    let held = File::open(folder.path().join("a")).expect("it opens");
    assert!(is_at(&held, &folder.path().join("a")));
    assert!(!is_at(&held, &folder.path().join("b")));
    assert!(!is_at(&held, &folder.path().join("none")));
}

#[test]
fn files_change_places_or_the_system_says_that_it_cannot() {
    let (folder, dir) = folder();
    fs::write(folder.path().join("a"), "a").expect("written");
    fs::write(folder.path().join("b"), "b").expect("written");
    let [a, b, free] = ["a", "b", "free"].map(|name| (&dir, OsStr::new(name)));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is there");
    match exchange(a, b) {
        Ok(()) => assert_eq!((read("a"), read("b")), ("b".to_owned(), "a".to_owned())),
        Err(error) => {
            assert!(is_unsupported(&error), "{error}");
            assert_eq!((read("a"), read("b")), ("a".to_owned(), "b".to_owned()));
        }
    }
    let last = read("a");
    match move_to_free(a, free) {
        Ok(()) => assert_eq!(read("free"), last),
        Err(error) => assert!(is_unsupported(&error), "{error}"),
    }
    fs::write(folder.path().join("a"), "new").expect("written");
    rename(a, b).expect("it replaces");
    assert_eq!(read("b"), "new");
}

#[test]
fn a_folder_is_no_file_and_a_file_no_folder() {
    let (folder, dir) = folder();
    fs::create_dir(folder.path().join("inner")).expect("a folder");
    fs::write(folder.path().join("file"), "text").expect("written");
    open_folder(&dir, OsStr::new("inner")).expect("a folder");
    assert!(open_folder(&dir, OsStr::new("file")).is_err());
    open_file(&dir, OsStr::new("file")).expect("a file");
    assert!(open_file(&dir, OsStr::new("none")).is_err());
    let opened = open_without_waiting(&folder.path().join("inner"), Links::Refuse).expect("a folder opens");
    assert!(opened.metadata().expect("of it").is_dir());
    sync(&folder.path().join("file")).expect("on disk");
    sync(folder.path()).expect("on disk");
    sync_folder(&dir).expect("on disk");
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let (folder, dir) = folder();
    fs::write(folder.path().join("file"), "text").expect("written");
    symlink(&dir, Path::new("file"), Path::new("link")).expect("a link");
    symlink(&dir, Path::new("."), Path::new("here")).expect("a link");
    assert!(open_file(&dir, OsStr::new("link")).is_err());
    assert!(open_folder(&dir, OsStr::new("here")).is_err());
    let refused = open_without_waiting(&folder.path().join("link"), Links::Refuse).expect_err("a link");
    assert!(is_no_file(&refused));
    open_without_waiting(&folder.path().join("link"), Links::Follow).expect("what it names");
}

#[test]
fn a_part_of_a_file_is_read_and_a_file_is_mapped_whole() {
    let (folder, dir) = folder();
    let path = folder.path().join("file");
    let mut file = create_new(&dir, Path::new("file"), 0o644).expect("made");
    file.write_all(b"0123456789").expect("written");
    drop(file);
    let mut part = [0; 3];
    read_exact_at(&File::open(&path).expect("it opens"), &mut part, 4).expect("read");
    assert_eq!(&part, b"456");
    // SAFETY: nothing else writes into it.
    assert_eq!(&*unsafe { Map::open(&path) }.expect("mapped"), b"0123456789");
    // SAFETY: as above.
    assert!(unsafe { Map::open(folder.path()) }.is_none());
    assert!(create_new(&dir, Path::new("file"), 0o644).is_err(), "it is there");
}

#[test]
fn random_bytes_differ() {
    let (mut one, mut other) = ([0; 16], [0; 16]);
    random_bytes(&mut one).expect("given");
    random_bytes(&mut other).expect("given");
    assert_ne!(one, other);
}

#[test]
fn a_page_is_a_power_of_two() {
    assert!(page_size().is_power_of_two() && page_size() >= 4096);
}

#[test]
fn an_error_of_the_system_is_known_as_one() {
    let error = File::open("no such file").expect_err("it is not there");
    assert!(is_system_error(&error) && !is_lack(&error));
}
